#!/bin/sh
# What the Makefile asks of abi_tags.def:   flavours   |   flags FLAVOUR   |   rows FLAVOUR (as group_value, those of
# which its archive has a member)
table=$(dirname "$0")/abi_tags.def
case $1 in
flavours) sed -n 's/^CILK_FLAVOUR(\([a-z]*\),.*/\1/p' "$table" ;;
flags) sed -n "s/^CILK_FLAVOUR($2, *\(.*\))\$/\1/p" "$table" ;;
rows) sed -n 's/^CILK_ABI_TAG(\([a-z]*\), *\([a-z]*\), *"[^"]*", *\(.*\))$/\1_\2 \3 /p' "$table" | sed -n "s/ \(.* \)\{0,1\}\(all\|$2\) .*//p" ;;
esac
