# Nix's package: `nix-build` in this folder, then result/bin/cilkc. The compiler's interpreter becomes that of Nix.
{ pkgs ? import <nixpkgs> { } }:

pkgs.stdenv.mkDerivation {
  pname = "cilkc";
  version = "@VERSION@";

  src = pkgs.fetchurl {
    url = "@URL@";
    sha256 = "@SHA256@";
  };

  nativeBuildInputs = [ pkgs.autoPatchelfHook pkgs.makeWrapper ];
  buildInputs = [ pkgs.python3 ];

  # the runtime's archives are linked into programs as they are
  dontStrip = true;
  dontPatchShebangs = true;

  installPhase = ''
    mkdir -p $out
    cp -a . $out/
    rm -f $out/env-vars
    wrapProgram $out/bin/cilkc --prefix PATH : ${pkgs.lib.makeBinPath [ pkgs.python3 pkgs.stdenv.cc ]}
  '';

  meta = {
    description = "@SUMMARY@";
    homepage = "@HOMEPAGE@";
    license = with pkgs.lib.licenses; [ mit asl20 llvm-exception bsd2 bsd3 zlib psfl gpl3Plus ];
    platforms = [ "x86_64-linux" ];
    mainProgram = "cilkc";
  };
}
