/** Syntax colours for a theme that could not be read, from the symbol colours that VS Code gives to webviews. */

/** Returns the first of these variables that is set. */
const variable = (...names: string[]) => names.reduceRight((otherwise, name) => `var(--vscode-${name}, ${otherwise})`, 'inherit');

const COMMENT = variable('descriptionForeground');
const STRING = variable('debugTokenExpression-string');
const NUMBER = variable('debugTokenExpression-number');
const BOOLEAN = variable('debugTokenExpression-boolean');
const KEYWORD = variable('debugTokenExpression-name');
const FUNCTION = variable('symbolIcon-functionForeground');
const CLASS = variable('symbolIcon-classForeground');
const FIELD = variable('symbolIcon-fieldForeground', 'symbolIcon-variableForeground');
const ERROR = variable('debugTokenExpression-error');
const ADDED = variable('gitDecoration-addedResourceForeground');
const DELETED = variable('gitDecoration-deletedResourceForeground');

/** A CSS colour and its scopes. Later rules win over earlier ones of the same depth. */
export const PALETTE: readonly (readonly [colour: string, ...scope: string[]])[] = [
  [COMMENT, 'comment', 'punctuation.definition.comment', 'markup.quote', 'meta.diff.header'],
  [STRING, 'string', 'constant.other.symbol', 'markup.inline.raw', 'meta.embedded.assembly'],
  ['inherit', 'meta.template.expression', 'string.quoted source'],
  [NUMBER, 'constant.numeric', 'constant.character', 'keyword.other.unit'],
  [BOOLEAN, 'constant.language', 'variable.language', 'constant.character.escape'],
  [KEYWORD, 'keyword', 'storage', 'entity.name.tag', 'markup.heading', 'entity.name.section'],
  ['inherit', 'keyword.operator'],
  [KEYWORD, 'keyword.operator.new', 'keyword.operator.expression', 'keyword.operator.logical.python', 'keyword.operator.wordlike'],
  [FUNCTION, 'entity.name.function', 'support.function', 'entity.name.command'],
  [
    CLASS,
    'entity.name.type',
    'entity.name.class',
    'entity.other.inherited-class',
    'support.class',
    'support.type',
    'entity.name.namespace',
  ],
  [
    FIELD,
    'variable.parameter',
    'variable.other.property',
    'variable.other.object.property',
    'support.type.property-name',
    'entity.other.attribute-name',
    'meta.object-literal.key',
    'variable.other.member',
  ],
  [ERROR, 'invalid'],
  [ADDED, 'markup.inserted'],
  [DELETED, 'markup.deleted'],
];
