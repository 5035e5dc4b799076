"""The typed tree of one or more files, as `cilkc emit --stage tree --json` writes it (docs/tree.md).

Nodes, types and declarations become objects; numbers that refer to a table become what they refer to. Declarations with
external linkage are one object for all files: the definition, where there is one.
"""

import json
from typing import TYPE_CHECKING, Any

VERSION = 1


class Broken(Exception):
    """The document is not of a kind that is known here."""


class Item:
    """An object of the document. What it does not have is None."""

    if TYPE_CHECKING:

        def __setattr__(self, name: str, value: Any) -> None: ...

    def __getattr__(self, name: str) -> Any:
        return None

    def __repr__(self):
        return "<%s %s>" % (self.kind, self.name or self.op or self.spelling or self.line)


class Type(Item):
    @property
    def is_integer(self):
        return self.kind in ("integer", "bool", "enum")

    @property
    def is_pointer(self):
        return self.kind == "pointer"

    @property
    def is_floating(self):
        return self.kind == "floating"

    @property
    def is_scalar(self):
        return self.is_integer or self.is_floating or self.is_pointer

    @property
    def to_function(self):
        return self.is_pointer and self.of.kind == "function"

    @property
    def limits(self):
        """(least, greatest) of an integer."""
        bits = 8 * self.size
        if self.kind == "bool":
            return 0, 1
        return (-(1 << (bits - 1)), (1 << (bits - 1)) - 1) if self.signed else (0, (1 << bits) - 1)

    @property
    def step(self):
        """By how many bytes a pointer moves where one is added to it; None where only the run knows."""
        return 1 if self.of.kind in ("void", "function") else self.of.size

    @property
    def alignment(self):
        """Addresses that such a pointer has are multiples of this."""
        return self.of.align or 1

    @property
    def family(self):
        """Objects of two different families do not share memory (C17 6.5p7); None: may share with all."""
        if self.is_pointer:
            return None if self.of.kind == "void" else "pointer"
        if self.kind == "floating":
            return "floating %d" % self.size
        if self.is_integer and self.size and self.size > 1:
            return "integer %d" % self.size
        return None

    def parts(self):
        """Types of what an object of this type consists of, itself included."""
        yield self
        for field in self.fields or ():
            yield from field.type.parts()
        if self.kind in ("array", "complex", "vector"):
            yield from self.of.parts()


class Declaration(Item):
    """A name, and what it stands for."""


class Node(Item):
    def below(self):
        for value in vars(self).values():
            if isinstance(value, Node):
                yield value
            elif isinstance(value, list):
                for item in value:
                    if isinstance(item, Node):
                        yield item

    def walk(self):
        """The node and all below it, those of inlets left out."""
        todo = [self]
        while todo:
            node = todo.pop()
            yield node
            if node.kind != "Function":
                todo.extend(reversed(list(node.below())))

    def has(self, *kinds):
        return any(node.kind in kinds for node in self.walk())


class Function:
    """A function with a body. inlets: those that are defined in it, by declaration."""

    def __init__(self, declaration, body, parent=None):
        self.declaration, self.body, self.parent = declaration, body, parent
        self.name = declaration.shown or declaration.name
        self.parameters = declaration.parameters or []
        self.result = declaration.type.result
        self.cilk = bool(declaration.cilk)
        self.inlets = {}
        self.line = declaration.line

    def __repr__(self):
        return "<function %s>" % self.name

    @property
    def is_system(self):
        return bool(self.declaration.system)

    def find_inlet(self, declaration):
        function = self
        while function:
            if declaration in function.inlets:
                return function.inlets[declaration]
            function = function.parent
        return None


def plain(node):
    """The node below parentheses and conversions that keep the value's meaning."""
    while node.kind == "Paren" or (node.kind in ("ImplicitCast", "Cast") and node.cast in KEEPING):
        node = node.operand
    return node


KEEPING = ("NoOp", "LvalueToRvalue", "FunctionToPointer", "ArrayToPointer", "PointerToPointer")


def callee_of(call):
    """The declaration of the function that a call names, or None where it goes through a pointer."""
    node = plain(call.callee)
    if node.kind == "Ident" and node.declaration and node.declaration.kind == "function":
        return node.declaration
    return None


class Program:
    """What is in the documents: functions by declaration, objects that live as long as the program."""

    def __init__(self, texts):
        self.functions, self.globals, self.assembly, self.types_alias = {}, [], 0, False
        self.documents = [Document(json.loads(text)) for text in texts]
        merge(self.documents)
        for document in self.documents:
            self.assembly += document.data["assembly"]
            self.types_alias |= bool(document.data.get("typesAlias"))
            for data in document.data["functions"]:
                self.add(document, data)
            self.globals += [d for d in document.declarations if d.kind == "variable" and d.storage != "automatic"]
        self.globals = list(dict.fromkeys(g for g in self.globals))
        self.declarations = list(dict.fromkeys(d for document in self.documents for d in document.declarations))

    def add(self, document, data):
        declaration = document.declarations[data["declaration"]]
        function = Function(declaration, document.node(data["body"]))
        declaration.line = declaration.line or function.body.line
        self.functions[declaration] = function
        self.find_inlets(function)

    def find_inlets(self, function):
        for node in function.body.walk():
            if node.kind == "Function" and node.declaration and node.body:
                inner = Function(node.declaration, node.body, function)
                function.inlets[node.declaration] = inner
                self.find_inlets(inner)


class Document:
    """One file: its tables as objects."""

    def __init__(self, data):
        if data.get("format") != "cilkc-tree" or data.get("version") != VERSION:
            raise Broken("not a tree of version %d" % VERSION)
        self.data, self.files = data, data["files"]
        self.types = [Type() for _ in data["types"]]
        self.declarations = [Declaration() for _ in data["declarations"]]
        for item, row in zip(self.types, data["types"]):
            self.fill_type(item, row)
        self.replaced = {}

    def fill_type(self, item, row):
        vars(item).update(row)
        for key in ("of", "result", "future", "reducer", "continuation"):
            if key in row:
                setattr(item, key, self.types[row[key]])
        if "parameters" in row:
            item.parameters = [self.types[n] for n in row["parameters"]]
        if "fields" in row:
            item.fields = []
            for data in row["fields"]:
                field = Item()
                vars(field).update(data, type=self.types[data["type"]])
                item.fields.append(field)

    def fill_declarations(self):
        for number, row in enumerate(self.data["declarations"]):
            item = self.declarations[number]
            if self.replaced.get(number):
                continue
            vars(item).update({k: v for k, v in row.items() if k not in ("at", "type", "init")})
            self.place(item, row)
            if "type" in row:
                item.type = self.types[row["type"]]
            for key in ("function", "parent", "enters", "procedure", "cleanup"):
                if key in row:
                    setattr(item, key, self.declarations[row[key]])
            if "parameters" in row:
                item.parameters = [self.declarations[n] for n in row["parameters"]]
            if "init" in row and row["init"]:
                item.init = self.node(row["init"])

    def place(self, item, row):
        if "at" in row:
            number, item.line, item.column = row["at"]
            item.file = self.files[number]["name"]

    def node(self, row):
        item = Node()
        for key, value in row.items():
            if key == "at":
                self.place(item, row)
            elif key in ("type", "computed"):
                setattr(item, key, self.types[value])
            elif key in ("declaration", "inlet", "label", "own", "renewed", "thread") and isinstance(value, int):
                setattr(item, key, value if isinstance(value, bool) else self.declarations[value])
            elif isinstance(value, dict):
                setattr(item, key, self.node(value))
            elif isinstance(value, list):
                setattr(item, key, [self.node(x) if isinstance(x, dict) else x for x in value])
            else:
                setattr(item, key, value)
        return item


def merge(documents):
    """External names are one declaration in all files: that of the file that defines it."""
    chosen = {}
    for document in documents:
        for number, row in enumerate(document.data["declarations"]):
            if row.get("linkage") != "external":
                continue
            old = chosen.get(row["name"])
            if old is None or (row.get("defined") and not old[2].get("defined")):
                chosen[row["name"]] = (document, number, row)
    for document in documents:
        for number, row in enumerate(document.data["declarations"]):
            if row.get("linkage") == "external":
                first, where, _ = chosen[row["name"]]
                if (first, where) != (document, number):
                    document.declarations[number] = first.declarations[where]
                    document.replaced[number] = True
    for document in documents:
        document.fill_declarations()
