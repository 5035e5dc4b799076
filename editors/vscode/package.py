#!/usr/bin/env python3
"""Makes build/cilk.vsix, or another FILE, the extension as Visual Studio Code installs it: `npm run package -- FILE`.

A .vsix is a ZIP archive by the Open Packaging Conventions. It has the extension below extension/, a list of content
types, and a manifest, which repeats what package.json says for those that read no JSON. All files have one date, so the
same extension is the same bytes.
"""

import json
import os
import sys
import zipfile
from xml.sax.saxutils import escape, quoteattr

HERE = os.path.dirname(os.path.abspath(__file__))
FILES = ["package.json", "README.md", "language-configuration.json", "dist/extension.js",
         "syntaxes/cilk.tmLanguage.json", "syntaxes/cilk1.tmLanguage.json"]
TYPES = {"json": "application/json", "vsixmanifest": "text/xml", "js": "application/javascript", "md": "text/markdown"}
MANIFEST = """<?xml version="1.0" encoding="utf-8"?>
<PackageManifest Version="2.0.0" xmlns="http://schemas.microsoft.com/developer/vsx-schema/2011">
  <Metadata>
    <Identity Language="en-US" Id={name} Version={version} Publisher={publisher}/>
    <DisplayName>{displayName}</DisplayName>
    <Description xml:space="preserve">{description}</Description>
    <Categories>{categories}</Categories>
    <Properties>
      <Property Id="Microsoft.VisualStudio.Code.Engine" Value={engine}/>
      <Property Id="Microsoft.VisualStudio.Code.ExtensionKind" Value="workspace"/>
    </Properties>
  </Metadata>
  <Installation><InstallationTarget Id="Microsoft.VisualStudio.Code"/></Installation>
  <Dependencies/>
  <Assets>
    <Asset Type="Microsoft.VisualStudio.Code.Manifest" Path="extension/package.json" Addressable="true"/>
    <Asset Type="Microsoft.VisualStudio.Services.Content.Details" Path="extension/README.md" Addressable="true"/>
  </Assets>
</PackageManifest>
"""


def main():
    with open(os.path.join(HERE, "package.json"), encoding="utf-8") as file:
        package = json.load(file)
    values = {key: quoteattr(package[key]) for key in ("name", "version", "publisher")}
    values |= {key: escape(package[key]) for key in ("displayName", "description")}
    values |= {"categories": escape(",".join(package["categories"])), "engine": quoteattr(package["engines"]["vscode"])}
    types = "".join('<Default Extension=".%s" ContentType="%s"/>' % row for row in TYPES.items())
    parts = {
        "extension.vsixmanifest": MANIFEST.format(**values),
        "[Content_Types].xml": '<?xml version="1.0" encoding="utf-8"?>\n'
        '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">%s</Types>\n' % types,
    }
    for name in FILES:
        with open(os.path.join(HERE, name), encoding="utf-8") as file:
            parts["extension/" + name] = file.read()
    target = sys.argv[1] if len(sys.argv) > 1 else os.path.join(HERE, "../../build/cilk.vsix")
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in parts.items():
            archive.writestr(zipfile.ZipInfo(name), text, zipfile.ZIP_DEFLATED)


if __name__ == "__main__":
    main()
