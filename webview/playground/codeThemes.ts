/** The syntax colours of the playground's themes: the part of VS Code's own themes that gives code its usual look. */
import type { CodeRule, CodeTheme } from '../../src/core/model/theme';

type Colours = Readonly<
  Record<
    | 'comment'
    | 'string'
    | 'number'
    | 'keyword'
    | 'control'
    | 'function'
    | 'type'
    | 'variable'
    | 'constant'
    | 'tag'
    | 'inserted'
    | 'deleted',
    string
  >
>;

function codeTheme(colours: Colours): CodeTheme {
  const rule = (foreground: string, ...scope: string[]): CodeRule => ({ scope, foreground });
  return {
    rules: [
      rule(colours.comment, 'comment'),
      rule(colours.string, 'string', 'meta.embedded.assembly'),
      rule(colours.number, 'constant.numeric', 'keyword.other.unit'),
      rule(colours.keyword, 'keyword', 'storage', 'constant.language', 'variable.language'),
      rule(colours.control, 'keyword.control', 'keyword.operator.new', 'keyword.operator.expression'),
      rule(colours.variable, 'keyword.operator', 'meta.template.expression', 'support.type.property-name'),
      rule(colours.function, 'entity.name.function', 'support.function'),
      rule(colours.type, 'entity.name.type', 'entity.name.class', 'support.class', 'support.type', 'entity.other.inherited-class'),
      rule(colours.variable, 'variable', 'meta.object-literal.key', 'entity.other.attribute-name'),
      rule(colours.constant, 'variable.other.constant', 'constant.other'),
      rule(colours.tag, 'entity.name.tag', 'markup.heading'),
      rule(colours.inserted, 'markup.inserted'),
      rule(colours.deleted, 'markup.deleted'),
      { scope: ['markup.italic', 'comment.block.documentation storage'], fontStyle: 'italic' },
      { scope: ['markup.bold', 'markup.heading'], fontStyle: 'bold' },
    ],
  };
}

const dark = codeTheme({
  comment: '#6a9955',
  string: '#ce9178',
  number: '#b5cea8',
  keyword: '#569cd6',
  control: '#c586c0',
  function: '#dcdcaa',
  type: '#4ec9b0',
  variable: '#9cdcfe',
  constant: '#4fc1ff',
  tag: '#569cd6',
  inserted: '#b5cea8',
  deleted: '#ce9178',
});

const light = codeTheme({
  comment: '#008000',
  string: '#a31515',
  number: '#098658',
  keyword: '#0000ff',
  control: '#af00db',
  function: '#795e26',
  type: '#267f99',
  variable: '#001080',
  constant: '#0070c1',
  tag: '#800000',
  inserted: '#098658',
  deleted: '#a31515',
});

const highContrast = codeTheme({
  comment: '#7ca668',
  string: '#ce9178',
  number: '#b5cea8',
  keyword: '#569cd6',
  control: '#c586c0',
  function: '#dcdcaa',
  type: '#4ec9b0',
  variable: '#9cdcfe',
  constant: '#4fc1ff',
  tag: '#569cd6',
  inserted: '#b5cea8',
  deleted: '#ce9178',
});

const highContrastLight = codeTheme({
  comment: '#515151',
  string: '#0f4a85',
  number: '#096d48',
  keyword: '#0f4a85',
  control: '#b5200d',
  function: '#5e2cbc',
  type: '#185e73',
  variable: '#001080',
  constant: '#02715d',
  tag: '#0f4a85',
  inserted: '#096d48',
  deleted: '#5a5a5a',
});

/** By the name of the playground's theme. */
export const CODE_THEMES: Readonly<Record<string, CodeTheme>> = {
  dark,
  light,
  hc: highContrast,
  'hc-light': highContrastLight,
  'dark-2026': dark,
  'light-2026': light,
};
