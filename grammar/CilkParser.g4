/*
 * The grammar of GNU C17, Cilk-5 and Cilk-1, over the tokens of CilkLexer.g4.
 *
 * It has no actions and no predicates. What a parser of C must know beyond the grammar, which names are types, comes
 * in through the tokens: an identifier that names a type at the parser's place is a TypedefName (see README.md).
 * For that to work no decision may look past a declarator, so nearly all are LL(1) by left-factoring. The exceptions
 * need two tokens and stop there: a label against an expression or a declaration ('x :'), an old designator ('x :'),
 * '[*]' against '[*p]', and ':' after an enum's tag.
 *
 * The grammar accepts a little more than the language where that makes it simpler or an error message better, and
 * the tree is then checked while the AST is built: an empty place between commas of an initialiser, '...' that is not
 * the last parameter, a name in a type name, qualifiers that fit no declaration. A spawn is an operand like any
 * other here, so that a misplaced one can be answered with advice and not with a syntax error.
 */
parser grammar CilkParser;

options { tokenVocab = CilkLexer; }

// ---- translation unit ---------------------------------------------------------------------------------------------

translationUnit
    : externalDeclaration* EOF
    ;

externalDeclaration
    : declaration
    | implicitIntDeclaration
    | asmDeclaration
    | ';'
    ;

// main() { ... }, or: x = 3;
implicitIntDeclaration
    : implicitIntDeclarator declaratorsRest
    ;

implicitIntDeclarator
    : pointer+ directDeclarator
    | ( Identifier standardAttribute* | '(' attribute* declarator ')' ) ( arraySuffix | functionSuffix )*
    ;

asmDeclaration
    : 'asm' '(' stringLiteral ')' ';'
    ;

// ---- declarations -------------------------------------------------------------------------------------------------

// Without a type specifier the type is int, and the name cannot be a typedef name.
declaration
    : specifier+ ( typeSpecifiers ( declarators | ';' ) | implicitIntDeclaration | ';' )
    | typeSpecifiers ( declarators | ';' )
    | staticAssert
    ;

// Everything that can follow the specifiers: a function with its body, or a list of declared things. Functions may
// be in blocks too: an inlet, or a GNU nested function.
declarators
    : declarator declaratorsRest
    ;

declaratorsRest
    : declaratorSuffix*
      ( functionBody
      | ( '=' initializer )? ( ',' attribute* initDeclarator )* ';'
      )
    ;

initDeclarator
    : declarator declaratorSuffix* ( '=' initializer )?
    ;

declaratorSuffix
    : asmLabel
    | gnuAttribute
    ;

asmLabel
    : 'asm' '(' stringLiteral ')'
    ;

functionBody
    : oldStyleParameters* compoundStatement
    ;

// The declarations of a K&R parameter list. They cannot begin with an attribute: that is the declarator's.
oldStyleParameters
    : plainSpecifier specifier*
      ( typeSpecifiers ( initDeclarator ( ',' attribute* initDeclarator )* )? ';'
      | implicitIntDeclarator ( ',' attribute* initDeclarator )* ';'
      | ';'
      )
    | typeSpecifiers ( initDeclarator ( ',' attribute* initDeclarator )* )? ';'
    ;

staticAssert
    : '_Static_assert' '(' assignmentExpression ( ',' stringLiteral )? ')' ';'
    ;

// ---- declaration specifiers: specifier* typeSpecifiers ------------------------------------------------------------

// A typedef name is a type specifier only where no other has been seen; after one it is the name being declared:
//     typedef int T;  { unsigned T;  T = 1; }
typeSpecifiers
    : TypedefName specifier*
    | typeSpecifier ( typeSpecifier | specifier )*
    ;

// Specifiers that name no type.
specifier
    : plainSpecifier
    | attribute
    ;

plainSpecifier
    : 'typedef'
    | 'extern'
    | 'static'
    | 'auto'
    | 'register'
    | '_Thread_local'
    | '__thread'
    | 'constexpr'
    | 'inline'
    | '_Noreturn'
    | typeQualifier
    | 'shared'
    | 'private'
    | 'thread'
    | 'cont'
    | 'future'
    | alignmentSpecifier
    ;

typeQualifier
    : 'const'
    | 'volatile'
    | 'restrict'
    | '_Atomic'
    | 'cilk'
    | 'inlet'
    ;

alignmentSpecifier
    : '_Alignas' '(' ( typeName | assignmentExpression ) ')'
    ;

typeSpecifier
    : 'void'
    | 'char'
    | 'short'
    | 'int'
    | 'long'
    | 'float'
    | 'double'
    | 'signed'
    | 'unsigned'
    | '_Bool'
    | '_Complex'
    | '__int128'
    | '_Float16'
    | '_Float32'
    | '_Float64'
    | '_Float128'
    | '_Float32x'
    | '_Float64x'
    | '_Float128x'
    | '__float128'
    | '__float80'
    | '__bf16'
    | '_Decimal32'
    | '_Decimal64'
    | '_Decimal128'
    | '__auto_type'
    | '_BitInt' '(' assignmentExpression ')'
    | AtomicSpecifier '(' typeName ')'
    | ContSpecifier '(' typeName ')'
    | ( 'typeof' | 'typeof_unqual' ) '(' ( typeName | expression ) ')'
    | structSpecifier
    | enumSpecifier
    ;

// Attributes after the closing brace belong to the struct, too; here they are 'specifier's that follow.
structSpecifier
    : ( 'struct' | 'union' ) attribute*
      ( ( Identifier | TypedefName ) structBody?
      | structBody
      )
    ;

structBody
    : '{' structMember* '}'
    ;

// GNU C lets the last ';' be missing; the error strategy puts it there.
structMember
    : specifier+ ( typeSpecifiers structDeclarators? )? ';'
    | typeSpecifiers structDeclarators? ';'
    | staticAssert
    | ';'
    ;

structDeclarators
    : structDeclarator ( ',' attribute* structDeclarator )*
    ;

structDeclarator
    : declarator ( ':' assignmentExpression )? gnuAttribute*
    | ':' assignmentExpression attribute*
    ;

enumSpecifier
    : 'enum' attribute*
      ( ( Identifier | TypedefName ) ( ':' underlyingType )? enumBody?
      | ( ':' underlyingType )? enumBody
      )
    ;

// C2x: enum E : unsigned char { ... }
underlyingType
    : typeQualifier* ( TypedefName | ( 'char' | 'short' | 'int' | 'long' | 'signed' | 'unsigned' | '_Bool' | '__int128' )+ )
    ;

enumBody
    : '{' enumerator ( ',' enumerator? )* '}'
    ;

enumerator
    : ( Identifier | TypedefName ) attribute* ( '=' assignmentExpression )?
    ;

// ---- attributes ---------------------------------------------------------------------------------------------------

attribute
    : gnuAttribute
    | standardAttribute
    ;

gnuAttribute
    : '__attribute__' '(' '(' attributeList ')' ')'
    | '__declspec' '(' attributeList ')'
    ;

standardAttribute
    : AttributeBracket '[' attributeList ']' ']'
    ;

statementAttribute
    : StatementAttribute '(' '(' attributeList ')' ')'
    | StatementAttributeBracket '[' attributeList ']' ']'
    ;

attributeList
    : attributeItem? ( ',' attributeItem? )*
    ;

attributeItem
    : ( Identifier | TypedefName ) ( ':' ':' ( Identifier | TypedefName ) )?
      ( '(' ( attributeArgument ( ',' attributeArgument )* )? ')' )?
    ;

attributeArgument
    : assignmentExpression
    | typeName
    ;

// ---- declarators --------------------------------------------------------------------------------------------------

// A declarator that has a name. In 'int (T)' the T is the name, typedef or not.
declarator
    : pointer* directDeclarator
    ;

directDeclarator
    : ( ( Identifier | TypedefName ) standardAttribute* | '(' attribute* declarator ')' ) ( arraySuffix | functionSuffix )*
    ;

pointer
    : '*' ( typeQualifier | attribute )*
    | 'cilk_reducer' '(' assignmentExpression ',' assignmentExpression ')' ( typeQualifier | attribute )*
    ;

arraySuffix
    : '[' ( 'static' | typeQualifier | attribute )* ( '*' | assignmentExpression )? ']' standardAttribute*
    ;

functionSuffix
    : '(' ( parameterList | identifierList )? ')' standardAttribute*
    ;

identifierList
    : Identifier ( ',' Identifier )*
    ;

// ';' ends GNU C's forward declarations of parameters: (int n; int a[n][n]).
parameterList
    : parameter ( ( ',' | ';' ) parameter )*
    ;

parameter
    : specifier+ ( typeSpecifiers looseDeclarator? | implicitLooseDeclarator )?
    | typeSpecifiers looseDeclarator?
    | '...'
    ;

typeName
    : specifier+ ( typeSpecifiers looseDeclarator? | implicitLooseDeclarator )?
    | typeSpecifiers looseDeclarator?
    ;

// A declarator that may lack a name: of a parameter, or in a type name. Here '(T)' after a type is a parameter list.
looseDeclarator
    : pointer+ looseDirectDeclarator?
    | looseDirectDeclarator
    ;

looseDirectDeclarator
    : ( ( Identifier | TypedefName ) standardAttribute* | looseParentheses ) ( arraySuffix | functionSuffix )* gnuAttribute*
    | arraySuffix ( arraySuffix | functionSuffix )* gnuAttribute*
    ;

// The same without a type before it: (const *)p.
implicitLooseDeclarator
    : pointer+ looseDirectDeclarator?
    | ( Identifier standardAttribute* | looseParentheses ) ( arraySuffix | functionSuffix )* gnuAttribute*
    ;

looseParentheses
    : '(' ( parameterList | attribute* looseDeclarator )? ')' standardAttribute*
    ;

// ---- initialisers -------------------------------------------------------------------------------------------------

initializer
    : assignmentExpression
    | bracedInitializer
    ;

bracedInitializer
    : '{' initializerItem? ( ',' initializerItem? )* '}'
    ;

initializerItem
    : designator+ '='? initializer              // .a[2] = 1, and GNU's old form [2] 1
    | ( Identifier | TypedefName ) ':' initializer      // GNU's old form a: 1
    | initializer
    | ConstantRun                                       // 1, 2, 3, …
    ;

designator
    : '.' ( Identifier | TypedefName )
    | '[' assignmentExpression ( '...' assignmentExpression )? ']'
    ;

// ---- statements ---------------------------------------------------------------------------------------------------

compoundStatement
    : '{' blockItem* '}'
    ;

// A label stands for itself in a block, so that it may precede a declaration or the end. So does an attribute.
blockItem
    : declaration
    | localLabels
    | label
    | statementAttribute
    | unlabelledStatement
    ;

localLabels
    : '__label__' ( Identifier | TypedefName ) ( ',' ( Identifier | TypedefName ) )* ';'
    ;

statement
    : ( label | statementAttribute )* unlabelledStatement
    ;

label
    : ( Identifier | TypedefName ) ':' attribute*
    | 'case' assignmentExpression ( '...' assignmentExpression )? ':'
    | 'default' ':'
    ;

unlabelledStatement
    : compoundStatement
    | expressionStatement
    | ';'
    | ifStatement
    | switchStatement
    | whileStatement
    | doStatement
    | forStatement
    | jumpStatement
    | asmStatement
    | cilkStatement
    | scopeStatement
    | spawnedBlock
    ;

expressionStatement
    : expression ';'
    ;

ifStatement
    : 'if' '(' expression ')' statement ( 'else' statement )?
    ;

switchStatement
    : 'switch' '(' expression ')' statement
    ;

whileStatement
    : 'while' '(' expression ')' statement
    ;

doStatement
    : 'do' statement 'while' '(' expression ')' ';'
    ;

forStatement
    : ( 'for' | 'cilk_for' ) '(' ( declaration | expression? ';' ) expression? ';' expression? ')' statement
    ;

jumpStatement
    : 'goto' ( Identifier | TypedefName | '*' expression ) ';'
    | 'continue' ';'
    | 'break' ';'
    | 'return' expression? ';'
    ;

cilkStatement
    : 'sync' ';'
    | 'abort' ';'
    | 'cilk_sync' ';'
    ;

// OpenCilk: children spawned in the statement are joined at its end.
scopeStatement
    : 'cilk_scope' statement
    ;

// OpenCilk: the statement is the child. The lexer distinguishes this `cilk_spawn` from the one before an expression.
spawnedBlock
    : CilkSpawnBlock statement
    ;

asmStatement
    : 'asm' asmQualifier* '(' stringLiteral
      ( ':' asmOperands? ( ':' asmOperands? ( ':' asmClobbers? ( ':' asmLabels? )? )? )? )? ')' ';'
    ;

asmQualifier
    : 'volatile'
    | 'inline'
    | 'goto'
    | 'const'
    ;

asmOperands
    : asmOperand ( ',' asmOperand )*
    ;

asmOperand
    : ( '[' ( Identifier | TypedefName ) ']' )? stringLiteral '(' expression ')'
    ;

asmClobbers
    : stringLiteral ( ',' stringLiteral )*
    ;

asmLabels
    : ( Identifier | TypedefName ) ( ',' ( Identifier | TypedefName ) )*
    ;

// ---- expressions --------------------------------------------------------------------------------------------------

expression
    : assignmentExpression ( ',' assignmentExpression )*
    ;

// Operands with operators between them. The AST builder (frontend/parse/build_expr.cpp) groups them, the tightest
// first:
//     * / %    + -    << >>    < > <= >=    == !=    &    ^    |    &&    ||        from left to right
//     ?:                                                                            from right to left
//     = *= /= %= += -= <<= >>= &= ^= |=                                             from right to left
// One flat rule makes every decision inside expressions LL(1) and a sum of ten thousand terms as shallow as one of two.
assignmentExpression
    : castExpression
      ( ( '*' | '/' | '%' | '+' | '-' | '<<' | '>>' | '<' | '>' | '<=' | '>=' | '==' | '!=' | '&' | '^' | '|' | '&&' | '||'
        | '=' | '*=' | '/=' | '%=' | '+=' | '-=' | '<<=' | '>>=' | '&=' | '^=' | '|='
        ) castExpression
      | '?' expression? ':' castExpression
      )*
    ;

// As assignmentExpression. A rule of its own: the decision there, which every expression takes, would not be LL(1) if
// an assignmentExpression could be where operators follow. Here the operators after `@` are the placement's.
placement
    : castExpression
      ( ( '*' | '/' | '%' | '+' | '-' | '<<' | '>>' | '<' | '>' | '<=' | '>=' | '==' | '!=' | '&' | '^' | '|' | '&&' | '||'
        | '=' | '*=' | '/=' | '%=' | '+=' | '-=' | '<<=' | '>>=' | '&=' | '^=' | '|='
        ) castExpression
      | '?' expression? ':' castExpression
      )*
    ;

// What begins with '(' is a cast, a compound literal, a statement expression or an expression in parentheses.
castExpression
    : '(' ( typeName ')' ( bracedInitializer postfix* | castExpression )
          | expression ')' postfix*
          | compoundStatement ')' postfix*
          )
    | unaryExpression
    ;

unaryExpression
    : primaryExpression postfix*
    | ( '++' | '--' | '&' | '*' | '+' | '-' | '~' | '!' | '__real__' | '__imag__' ) castExpression
    | ( 'sizeof' | '_Alignof' | '__alignof__' ) sizeofOperand
    | '&&' ( Identifier | TypedefName )
    | ( 'spawn' | 'cilk_spawn' | 'spawn_next' | 'call' | 'tail_call' ) castExpression ( '@' placement )?
    | 'touch' castExpression
    | 'send_argument' '(' ( assignmentExpression ( ',' assignmentExpression )* )? ')'
    ;

sizeofOperand
    : '(' ( typeName ')' ( bracedInitializer postfix* )?
          | expression ')' postfix*
          | compoundStatement ')' postfix*
          )
    | unaryExpression
    ;

postfix
    : '[' expression ']'
    | '(' ( ( assignmentExpression | hole ) ( ',' ( assignmentExpression | hole ) )* )? ')'
    | ( '.' | '->' ) ( Identifier | TypedefName )
    | '++'
    | '--'
    ;

// ?k: an argument of a closure that is missing yet, and the continuation for it.
hole
    : '?' castExpression
    ;

primaryExpression
    : Identifier
    | Number
    | CharacterConstant
    | stringLiteral
    | 'true'
    | 'false'
    | 'nullptr'
    | 'SYNCHED'
    | genericSelection
    | '__builtin_va_arg' '(' assignmentExpression ',' typeName ')'
    | '__builtin_offsetof' '(' typeName ',' ( Identifier | TypedefName ) offsetofDesignator* ')'
    | '__builtin_types_compatible_p' '(' typeName ',' typeName ')'
    | '__builtin_convertvector' '(' assignmentExpression ',' typeName ')'
    | '__builtin_has_attribute' '(' ( typeName | assignmentExpression ) ',' attributeItem ')'
    ;

offsetofDesignator
    : ( '.' | '->' ) ( Identifier | TypedefName )
    | '[' expression ']'
    ;

genericSelection
    : '_Generic' '(' ( typeName | assignmentExpression ) ( ',' genericAssociation )+ ')'
    ;

genericAssociation
    : ( typeName | 'default' ) ':' assignmentExpression
    ;

stringLiteral
    : StringLiteral+
    ;
