"""Which functions a parameter may be, where it is a pointer to a function: by the text of all calls. A parameter that
is assigned, or of a function that may be called in other ways, may be anything."""

from .tree import callee_of, plain


class FunctionPointers:
    """targets: {parameter: set of declarations, or None where it is not known}"""

    def __init__(self, program, bodies):
        self.program = program
        self.is_program = any(declaration.name == "main" for declaration in program.functions)
        self.links = {}  # parameter: arguments that it gets
        self.named = set()  # functions that are named other than to be called by name
        for function in program.functions.values():
            for body in bodies(function):
                self.search(body)
        for variable in program.globals:
            if variable.init is not None:
                self.search(variable.init)
        self.targets = self.solve()

    def search(self, root):
        callees = set()
        for node in root.walk():
            if node.kind == "Call":
                declaration = callee_of(node)
                function = self.program.functions.get(declaration)
                callees.add(id(plain(node.callee)))
                if function is not None:
                    for parameter, argument in zip(function.parameters, node.arguments):
                        if parameter.type.to_function:
                            self.links.setdefault(parameter, []).append(plain(argument))
            elif node.kind == "Ident" and node.declaration.kind == "function" and id(node) not in callees:
                self.named.add(node.declaration)

    def solve(self):
        targets = {}
        for function in self.program.functions.values():
            for parameter in function.parameters:
                if parameter.type.to_function:
                    hidden = (
                        function.declaration in self.named
                        or (function.declaration.linkage == "external" and not self.is_program)
                        or parameter.assigned
                        or parameter.addressTaken
                    )
                    targets[parameter] = None if hidden else set()
        changed = True
        while changed:
            changed = False
            for parameter, known in targets.items():
                if known is not None:
                    changed |= self.grow(parameter, known, targets)
        return targets

    def grow(self, parameter, known, targets):
        before = len(known)
        for argument in self.links.get(parameter, ()):
            declaration = argument.declaration if argument.kind == "Ident" else None
            if declaration is not None and declaration.kind == "function":
                known.add(declaration)
            elif declaration is not None and targets.get(declaration) is not None:
                known |= targets[declaration]
            elif not (argument.kind == "ImplicitCast" and argument.cast == "NullToPointer"):
                targets[parameter] = None
                return True
        return len(known) > before

    def called(self, call):
        """What a call through such a parameter may call, or None."""
        node = plain(call.callee)
        while node.kind == "Unary" and node.op == "*":
            node = plain(node.operand)
        return self.targets.get(node.declaration) if node.kind == "Ident" else None
