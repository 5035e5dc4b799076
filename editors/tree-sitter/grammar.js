/*
 * Cilk-5, Cilk-1 and OpenCilk's spelling for tree-sitter: the published grammar of C and what grammar/CilkParser.g4 adds to
 * it. An editor sees text that is not preprocessed, so the base is a grammar with directives and macros.
 *
 * Words that are ordinary names elsewhere (`sync`, `abort`, `future`, ..) are keywords only where one can be; what is
 * called, `abort()`, stays a name. tests/tools/test_editors.py compares the words with those of grammar/CilkLexer.g4.
 */
const C = require('tree-sitter-c/grammar');

const UNARY = 14;       // of the C grammar: the level of `sizeof` and `-`
const SIZES = ['signed', 'unsigned', 'long', 'short'];

module.exports = grammar(C, {
  name: 'cilk',

  conflicts: ($, original) => original.concat([
    [$.function_definition, $._old_style_function_definition, $._declaration_modifiers],
    [$.function_definition, $._declaration_modifiers],
  ]),

  rules: {
    _top_level_item: ($, original) => choice(original, $.macro_line),
    _block_item: ($, original) => choice(original, $.macro_line),

    // A line that is a call in capitals, without a semicolon: only the preprocessor knows its meaning.
    macro_line: _ => /[A-Z_][A-Z0-9_]*\([^;{}\n]*\)[ \t]*\r?\n/,

    // A call in capitals within a list: it may make more elements of the list, with their commas.
    macro_elements: _ => /[A-Z_][A-Z0-9_]*\([A-Z0-9_, ]*\)/,
    parameter_declaration: ($, original) => seq(optional($.macro_elements), original, optional($.macro_elements)),
    argument_list: $ => seq(
      '(',
      optional(seq($._argument, repeat(seq(',', $._argument)))),
      ')',
    ),
    _argument: $ => seq(choice($.expression, $.compound_statement), optional($.macro_elements)),

    type_qualifier: (_, original) => choice(original, 'cilk', 'inlet', 'shared', 'private', '_Complex', 'complex'),

    type_specifier: ($, original) => choice(
      original,
      $.thread_specifier,
      $.cont_specifier,
      $.future_specifier,
      $.reducer_specifier,
      $.bit_specifier,
    ),

    // `long cilk unsigned int`
    sized_type_specifier: ($, original) => choice(original, seq(
      repeat1(choice(...SIZES)),
      repeat1($.type_qualifier),
      repeat1(choice(...SIZES)),
      optional($.primitive_type),
    )),

    // Only before a type: after one, `future` and `thread` are names.
    thread_specifier: _ => 'thread',
    future_specifier: $ => prec.right(seq('future', $.type_specifier)),
    bit_specifier: $ => seq(optional(choice('unsigned', 'signed')), '_BitInt', '(', $.expression, ')'),

    cont_specifier: $ => prec.right(seq('cont', optional(choice(
      $.type_specifier,
      seq('(', $.type_descriptor, ')'),
    )))),

    reducer_specifier: $ => prec.right(seq(
      $.type_specifier,
      'cilk_reducer',
      optional($.argument_list),
    )),

    _non_case_statement: ($, original) => choice(
      original,
      $.sync_statement,
      $.abort_statement,
      $.scope_statement,
      $.spawned_block,
      $.send_statement,
    ),

    sync_statement: _ => seq(choice('sync', 'cilk_sync'), ';'),
    abort_statement: _ => seq('abort', ';'),
    scope_statement: $ => seq('cilk_scope', field('body', $.statement)),
    spawned_block: $ => seq('cilk_spawn', field('body', $.compound_statement)),
    send_statement: $ => seq('send_argument', field('arguments', $.argument_list), ';'),

    for_statement: $ => seq(
      choice('for', 'cilk_for'),
      '(',
      $._for_statement_body,
      ')',
      field('body', $.statement),
    ),

    _expression_not_binary: ($, original) => choice(
      original,
      $.spawn_expression,
      $.touch_expression,
      $.missing_argument,
      $.range_expression,
      $.part_expression,
      $.synched,
    ),

    part_expression: $ => prec.right(UNARY, seq(choice('__real__', '__imag__'), $.expression)),

    range_expression: $ => prec.left(-3, seq($.expression, '...', $.expression)),     // of a GNU case label

    // Without a type the result is an int: `cilk main()`.
    function_definition: ($, original) => choice(original, prec.dynamic(-2, seq(
      $.type_qualifier,
      field('declarator', $._declarator),
      field('body', $.compound_statement),
    ))),

    _old_style_function_definition: ($, original) => choice(original, prec.dynamic(-2, seq(
      $.type_qualifier,
      field('declarator', alias($._old_style_function_declarator, $.function_declarator)),
      repeat1($.declaration),
      field('body', $.compound_statement),
    ))),

    array_declarator: ($, original) => prec.right(1, seq(original, repeat($.attribute_specifier))),

    spawn_expression: $ => prec.right(UNARY, seq(
      field('operator', choice('spawn', 'cilk_spawn', 'spawn_next', 'call', 'tail_call')),
      field('child', $.expression),
      optional(seq('@', field('place', choice($.identifier, $.number_literal, $.parenthesized_expression)))),
    )),

    touch_expression: $ => prec.right(UNARY, choice(seq('touch', $.expression), alias('touch', $.identifier))),

    // Cilk-1: an argument that is missing yet, and the continuation for it.
    missing_argument: $ => prec.right(UNARY, seq('?', $.expression)),

    synched: _ => 'SYNCHED',

    call_expression: ($, original) => choice(
      original,
      prec(15, seq(
        field('function', alias(choice('abort', 'sync'), $.identifier)),
        field('arguments', $.argument_list),
      )),
    ),
  },
});
