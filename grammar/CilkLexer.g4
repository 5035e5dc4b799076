/*
 * The tokens of preprocessed GNU C17 and Cilk-5.
 *
 * The text is the output of a C preprocessor: lines that begin with '#' are line markers and pragmas, everything else
 * is C. Seven decisions belong to the token source that drives this lexer (frontend/parse/lex.cpp), because they
 * depend on more than the characters of one token:
 *
 *  1. Words. A word is matched by Identifier; the rules of the modes after WORDS are the dictionary in which it is then
 *     looked up. Which entries count depends on the language level (-std=) and, for the Cilk words, on the file that
 *     the line came from: .cilk .cilkh .cilkp .cilki are Cilk-5, .cilk1 .cilk1h .cilk1i have the words of Cilk-1
 *     besides, all else is C, and '#pragma lang +C, -C, +Cilk, -Cilk, +Cilk1, -Cilk1' switches by hand. '@' is a token
 *     in Cilk-1 only. GNU's second spellings (__const, __const__, ...) mean the plain word. '__extension__' is no
 *     token, but marks where GNU C is meant.
 *  2. 'abort' and 'sync' followed by '(' are the functions of the C library, not keywords.
 *  3. The first name of an attribute list is never a keyword: __attribute__((const)).
 *  4. '[' directly before another '[' opens a C2x attribute: AttributeBracket. '_Atomic' and 'cont' directly before '('
 *     are type specifiers, else qualifiers. An attribute that belongs to a statement (fallthrough) is
 *     StatementAttribute or StatementAttributeBracket, so that it cannot be mistaken for the beginning of a
 *     declaration.
 *  5. TypedefName. Whether an identifier names a type depends on the scope; the token stream decides it each time the
 *     parser looks at the token (frontend/parse/token_stream.h).
 *  6. OpenCilk's words are keywords in Cilk-5 text, and with -fopencilk in all text. `cilk_spawn` directly before a
 *     statement that is no expression (`{`, `for`, `if`, ..) is CilkSpawnBlock.
 *  7. ConstantRun. Many plain constants in a row among the elements of an initialiser are one token, commas
 *     and all (frontend/ast/run.h): tables of data have millions of them.
 *
 * Characters beyond ASCII, in identifiers and in strings, are passed through. To keep the tables of the lexer small,
 * the character stream presents every one of them as U+007F.
 */
lexer grammar CilkLexer;

tokens { CilkSpawnBlock, TypedefName, AtomicSpecifier, ContSpecifier, AttributeBracket, StatementAttribute, StatementAttributeBracket, ConstantRun }

// ---- names and literals -------------------------------------------------------------------------------------------

Identifier
    : NameStart NameRest*
    ;

fragment NameStart
    : [a-zA-Z_$\u007F]
    | UniversalCharacterName
    ;

fragment NameRest
    : [a-zA-Z_$0-9\u007F]
    | UniversalCharacterName
    ;

fragment UniversalCharacterName
    : '\\u' HexDigit HexDigit HexDigit HexDigit
    | '\\U' HexDigit HexDigit HexDigit HexDigit HexDigit HexDigit HexDigit HexDigit
    ;

fragment HexDigit
    : [0-9a-fA-F]
    ;

// A preprocessing number (C17 6.4.8): every integer and floating constant is one, and so are some things that are
// neither ("0x1g"). What it means, and whether it means anything, is decided when its value is computed.
Number
    : '.'? [0-9] ( [eEpP] [+-] | '\'' [0-9a-zA-Z_] | [0-9a-zA-Z_.\u007F] )*
    ;

CharacterConstant
    : EncodingPrefix? '\'' ( ~['\\\n] | '\\' ~[\n] )* '\''
    ;

StringLiteral
    : EncodingPrefix? '"' ( ~["\\\n] | '\\' ~[\n] )* '"'
    ;

fragment EncodingPrefix
    : 'L' | 'u8' | 'u' | 'U'
    ;

// ---- punctuators --------------------------------------------------------------------------------------------------

LeftParen    : '(' ;
RightParen   : ')' ;
LeftBracket  : '[' ;
RightBracket : ']' ;
LeftBrace    : '{' ;
RightBrace   : '}' ;

Semicolon    : ';' ;
Comma        : ',' ;
Colon        : ':' ;
Question     : '?' ;
At           : '@' ;
Ellipsis     : '...' ;
Dot          : '.' ;
Arrow        : '->' ;

Plus         : '+' ;
Minus        : '-' ;
Star         : '*' ;
Slash        : '/' ;
Percent      : '%' ;
PlusPlus     : '++' ;
MinusMinus   : '--' ;
And          : '&' ;
Or           : '|' ;
Xor          : '^' ;
Tilde        : '~' ;
Not          : '!' ;
AndAnd       : '&&' ;
OrOr         : '||' ;
ShiftLeft    : '<<' ;
ShiftRight   : '>>' ;
Less         : '<' ;
Greater      : '>' ;
LessEqual    : '<=' ;
GreaterEqual : '>=' ;
Equal        : '==' ;
NotEqual     : '!=' ;

Assign           : '=' ;
StarAssign       : '*=' ;
SlashAssign      : '/=' ;
PercentAssign    : '%=' ;
PlusAssign       : '+=' ;
MinusAssign      : '-=' ;
ShiftLeftAssign  : '<<=' ;
ShiftRightAssign : '>>=' ;
AndAssign        : '&=' ;
XorAssign        : '^=' ;
OrAssign         : '|=' ;

// Digraphs survive preprocessing.
DigraphLeftBracket  : '<:' -> type(LeftBracket) ;
DigraphRightBracket : ':>' -> type(RightBracket) ;
DigraphLeftBrace    : '<%' -> type(LeftBrace) ;
DigraphRightBrace   : '%>' -> type(RightBrace) ;

// ---- lines, blanks and what is wrong ------------------------------------------------------------------------------

// A line marker ('# 12 "file.h" 1 3'), a '#line' or a '#pragma'. The token source accepts it at the beginning of a
// line only.
Directive
    : '#' ~[\n]*
    ;

Blank
    : ( [ \t\f\r\n\u000B] | '\\' '\r'? '\n' )+ -> skip
    ;

LineComment
    : '//' ~[\n]* -> skip
    ;

BlockComment
    : '/*' ( ~'*' | '*'+ ~[*/] )* '*'+ '/' -> skip
    ;

// Each of these is one error, reported by the token source, and then the rest of the line (or file) is passed over.
UnterminatedCharacter : EncodingPrefix? '\'' ( ~['\\\n] | '\\' ~[\n] )* '\\'? ;
UnterminatedString    : EncodingPrefix? '"' ( ~["\\\n] | '\\' ~[\n] )* '\\'? ;
UnterminatedComment   : '/*' ( ~'*' | '*'+ ~[*/] )* '*'* ;
StrayCharacter        : . ;

// ---- the dictionary -----------------------------------------------------------------------------------------------

mode WORDS;

Auto : 'auto' ;
Break : 'break' ;
Case : 'case' ;
Char : 'char' ;
Const : 'const' ;
Continue : 'continue' ;
Default : 'default' ;
Do : 'do' ;
Double : 'double' ;
Else : 'else' ;
Enum : 'enum' ;
Extern : 'extern' ;
Float : 'float' ;
For : 'for' ;
Goto : 'goto' ;
If : 'if' ;
Inline : 'inline' ;
Int : 'int' ;
Long : 'long' ;
Register : 'register' ;
Restrict : 'restrict' ;
Return : 'return' ;
Short : 'short' ;
Signed : 'signed' ;
Sizeof : 'sizeof' ;
Static : 'static' ;
Struct : 'struct' ;
Switch : 'switch' ;
Typedef : 'typedef' ;
Union : 'union' ;
Unsigned : 'unsigned' ;
Void : 'void' ;
Volatile : 'volatile' ;
While : 'while' ;

// C99 and C11; C2x spells some of them alignas, alignof, bool, static_assert, thread_local.
Alignas : '_Alignas' ;
Alignof : '_Alignof' ;
Atomic : '_Atomic' ;
Bool : '_Bool' ;
Complex : '_Complex' ;
Generic : '_Generic' ;
Noreturn : '_Noreturn' ;
StaticAssert : '_Static_assert' ;
ThreadLocal : '_Thread_local' ;

// C2x.
BitInt : '_BitInt' ;
Constexpr : 'constexpr' ;
False : 'false' ;
Nullptr : 'nullptr' ;
True : 'true' ;
TypeofUnqual : 'typeof_unqual' ;

// GNU C.
Asm : 'asm' ;
Attribute : '__attribute__' ;
Declspec : '__declspec' ;
AutoType : '__auto_type' ;
GnuAlignof : '__alignof__' ;
Imag : '__imag__' ;
Label : '__label__' ;
Real : '__real__' ;
Thread : '__thread' ;
Typeof : 'typeof' ;
BuiltinConvertvector : '__builtin_convertvector' ;
BuiltinHasAttribute : '__builtin_has_attribute' ;
BuiltinOffsetof : '__builtin_offsetof' ;
BuiltinTypesCompatible : '__builtin_types_compatible_p' ;
BuiltinVaArg : '__builtin_va_arg' ;

// More arithmetic types.
Int128 : '__int128' ;
Float16 : '_Float16' ;
Float32 : '_Float32' ;
Float64 : '_Float64' ;
Float128 : '_Float128' ;
Float32x : '_Float32x' ;
Float64x : '_Float64x' ;
Float128x : '_Float128x' ;
GnuFloat128 : '__float128' ;
GnuFloat80 : '__float80' ;
Bfloat16 : '__bf16' ;
Decimal32 : '_Decimal32' ;
Decimal64 : '_Decimal64' ;
Decimal128 : '_Decimal128' ;

// ---- words of one dialect: in its text, and in that of dialects that build on it, they are keywords, elsewhere names

mode CILK5;

Abort : 'abort' ;
Cilk : 'cilk' ;
Future : 'future' ;
Inlet : 'inlet' ;
Private : 'private' ;
Shared : 'shared' ;
Spawn : 'spawn' ;
Sync : 'sync' ;
Synched : 'SYNCHED' ;
Touch : 'touch' ;

mode OPENCILK;

CilkFor : 'cilk_for' ;
CilkReducer : 'cilk_reducer' ;
CilkScope : 'cilk_scope' ;
CilkSpawn : 'cilk_spawn' ;
CilkSync : 'cilk_sync' ;

mode CILK1;

CallThread : 'call' ;
Cont : 'cont' ;
SendArgument : 'send_argument' ;
SpawnNext : 'spawn_next' ;
TailCall : 'tail_call' ;
CilkThread : 'thread' ;
