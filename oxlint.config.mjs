// Checks the direction of imports, the functions that show text, unawaited promises, and certain mistakes. Oxlint reads the files once, with types on
// the native compiler, in a quarter of the time that ESLint takes for fewer rules. Two rules are ESLint's own, because oxlint lacks them or some of
// their patterns: see build/eslintRules.mjs. test/unit/layers.test.ts checks the layers again over the whole import graph, `import()` included.
const services = ['acp', 'agent', 'fs', 'terminal', 'policy', 'changes', 'mcp', 'context', 'worktree', 'sandbox', 'share'];
const above = ['workbench', 'application', 'session', 'extension', 'api', 'demo'];

/** Matches every path that goes up at least `levels` folders and enters one of `places` in src/. */
const into = (/** @type {string[]} */ places, /** @type {string} */ message, levels = 1) => ({
  regex: `^(?:\\.\\./){${levels},}(?:${places.join('|')})(?:/|$)`,
  message,
});

const onlyCore = 'src/core imports only itself.';
const down = 'Imports point down: workbench → application → session → services → text, util → core.';
const noVscode = {
  regex: '^vscode$',
  allowTypeImports: true,
  message: 'Only src/workbench and src/extension.ts import vscode at run time: take an interface from src/core/platform or src/core/model.',
};

/** One zone of the layer rule; later zones replace earlier ones for the same file. */
const zone = (/** @type {string} */ files, /** @type {object[]} */ ...patterns) => ({
  files: [files],
  rules: { 'eslint-js/no-restricted-imports': ['error', { patterns }] },
});

/** The members of `vscode.window` that show no text. All others, also those that VS Code adds later, go through src/workbench/shared/window.ts. */
const silent =
  'activeColorTheme|activeNotebookEditor|activeTerminal|activeTextEditor|onDid\\w+|registerUriHandler|registerWebviewPanelSerializer|registerWebviewViewProvider|showNotebookDocument|showTextDocument|state|tabGroups|terminals|visibleTextEditors';
const throughWindow = 'Text of others may hold links and icons that VS Code acts on: show it through src/workbench/shared/window.ts.';
const onlyEscape =
  'Only src/application/shared/escape.ts says which text is inert: use inertLine(), inert(), joined(), withIcon(), own() or t().';
const vscodeImport = 'Import vscode as `import * as vscode`, so that the linter sees what shows text.';

/** The ways around src/workbench/shared/window.ts. */
const roundWindow = [
  {
    selector: `MemberExpression[object.object.name="vscode"][object.property.name="window"]:not([property.name=/^(?:${silent})$/])`,
    message: throughWindow,
  },
  { selector: 'MemberExpression[object.object.name="vscode"][computed=true]', message: throughWindow },
  { selector: ':not(MemberExpression) > MemberExpression[object.name="vscode"][property.name="window"]', message: throughWindow },
  { selector: 'MemberExpression[object.name="vscode"][computed=true]', message: throughWindow },
  {
    selector:
      'MemberExpression[object.name="vscode"][property.name=/^(?:MarkdownString|TreeItem|CodeLens|Hover|InlayHint|CompletionItem|CodeAction|Diagnostic|chat|comments|scm|tests)$/]',
    message: throughWindow,
  },
  {
    selector:
      'MemberExpression[object.object.name="vscode"][property.name=/^(?:createLanguageStatusItem|createDiagnosticCollection|register(?!WebviewViewProvider)\\w+Provider)$/]:not([object.property.name="workspace"])',
    message: throughWindow,
  },
  {
    selector: 'CallExpression[callee.property.name="executeCommand"][arguments.0.value=/^vscode\\.(?:diff|changes)$/]',
    message: throughWindow,
  },
  {
    selector: 'AssignmentExpression[left.property.name="title"]:matches([left.object.property.name=/panel/i], [left.object.name=/panel/i])',
    message: throughWindow,
  },
  {
    selector:
      ':not(MemberExpression, TSQualifiedName, ImportNamespaceSpecifier, Property, TSPropertySignature) > Identifier[name="vscode"]',
    message: vscodeImport,
  },
  { selector: 'Property > Identifier.value[name="vscode"]', message: vscodeImport },
  {
    selector:
      'ImportDeclaration[source.value="vscode"][importKind="value"] > :matches(ImportSpecifier, ImportDefaultSpecifier, ImportNamespaceSpecifier[local.name!="vscode"])',
    message: vscodeImport,
  },
  { selector: ':matches(ImportExpression, ExportAllDeclaration, ExportNamedDeclaration)[source.value="vscode"]', message: vscodeImport },
  { selector: 'CallExpression[callee.name="require"]', message: vscodeImport },
];

/** The ways to declare a text inert without making it so. */
const roundEscape = [
  {
    selector: ':matches(TSAsExpression, TSTypeAssertion) TSTypeReference[typeName.name=/^(?:InertText|Item|Button|Row)$/]',
    message: onlyEscape,
  },
  { selector: ':matches(TSAsExpression, TSTypeAssertion) > TSNeverKeyword', message: onlyEscape },
  { selector: 'TSTypePredicate TSTypeReference[typeName.name="InertText"]', message: onlyEscape },
];

const localised = {
  selector: 'MemberExpression[object.property.name="l10n"][property.name="t"]',
  message: 'Use t() of src/workbench/shared/l10n.ts, which makes the values inert.',
};

const noHash = { selector: 'PrivateIdentifier', message: 'Privates are `private`, as parameters of a constructor have to be.' };

/** Selectors over `files`: the later of two such settings replaces the earlier. */
const restricted = (/** @type {string[]} */ files, /** @type {object[]} */ ...rules) => ({
  files,
  rules: { 'eslint-js/no-restricted-syntax': ['error', noHash, ...rules] },
});

/** The rules that typescript-eslint recommends and that need no types. */
const recommended = {
  'no-array-constructor': 'error',
  'no-unused-expressions': 'error',
  'no-var': 'error',
  'prefer-const': 'error',
  'prefer-rest-params': 'error',
  'prefer-spread': 'error',
  'typescript/ban-ts-comment': 'error',
  'typescript/no-duplicate-enum-values': 'error',
  'typescript/no-empty-object-type': 'error',
  'typescript/no-explicit-any': 'error',
  'typescript/no-extra-non-null-assertion': 'error',
  'typescript/no-misused-new': 'error',
  'typescript/no-namespace': 'error',
  'typescript/no-non-null-asserted-optional-chain': 'error',
  'typescript/no-require-imports': 'error',
  'typescript/no-this-alias': 'error',
  'typescript/no-unnecessary-type-constraint': 'error',
  'typescript/no-unsafe-declaration-merging': 'error',
  'typescript/no-unsafe-function-type': 'error',
  'typescript/no-wrapper-object-types': 'error',
  'typescript/prefer-as-const': 'error',
  'typescript/prefer-namespace-keyword': 'error',
  'typescript/triple-slash-reference': 'error',
};

export default {
  plugins: ['typescript'],
  jsPlugins: ['./build/eslintRules.mjs'],
  categories: { correctness: 'off' },
  options: { typeAware: true },
  // The sample workspace is data of tests.
  ignorePatterns: ['dist/', 'out/', 'node_modules/', '.cache/', 'test-results/', 'test/fixtures/workspace/'],
  rules: {
    'typescript/no-floating-promises': 'error',
    'typescript/no-misused-promises': ['error', { checksVoidReturn: false }],
  },
  overrides: [
    {
      files: ['**/*.ts', '**/*.tsx'],
      rules: {
        ...recommended,
        'typescript/consistent-type-imports': ['error', { disallowTypeAnnotations: false }],
        // `import { type X }` would still load the module; `import type` does not.
        'typescript/no-import-type-side-effects': 'error',
        'no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
        eqeqeq: 'error',
        curly: ['error', 'all'],
        'eslint-js/no-restricted-syntax': ['error', noHash],
      },
    },
    {
      // `any` would pass for inert text.
      files: ['src/workbench/**/*.ts', 'src/application/**/*.ts'],
      rules: {
        'typescript/no-unsafe-argument': 'error',
        'typescript/no-unsafe-assignment': 'error',
        'typescript/no-unsafe-return': 'error',
      },
    },

    zone('src/*.ts', into(['webview'], 'The view runs elsewhere.')),
    zone('src/workbench/**/*.ts', into(['extension', 'demo', 'webview'], down)),
    zone(
      'src/application/**/*.ts',
      noVscode,
      into(
        above.filter((place) => place !== 'application' && place !== 'session'),
        down,
      ),
    ),
    zone(
      'src/session/**/*.ts',
      noVscode,
      into(
        above.filter((place) => place !== 'session'),
        down,
      ),
    ),
    ...services.map((service) =>
      zone(
        `src/${service}/**/*.ts`,
        noVscode,
        into(above, down),
        into(
          services.filter((other) => other !== service),
          'Services never import each other, types included: they meet in src/session. Shared types: src/core/model and src/core/platform; functions: src/util.',
        ),
      ),
    ),
    zone('src/util/**/*.ts', noVscode, into([...above, ...services, 'text'], 'src/util imports only src/core.')),
    zone(
      'src/text/**/*.ts',
      { regex: '^(?!(?:marked|diff)$)[^.]', message: 'src/text is pure: no Node, no vscode, only libraries that are pure as well.' },
      into([...above, ...services, 'util'], 'src/text imports only src/core.'),
    ),
    zone(
      'src/core/**/*.ts',
      { regex: '^[^.]', allowTypeImports: true, message: 'src/core imports nothing at run time.' },
      into([...above, ...services.filter((service) => !['mcp', 'sandbox', 'share'].includes(service)), 'util', 'text'], onlyCore),
      // src/core/mcp has the name of the service. The path to it goes up one folder, and the path to the service two.
      into(['mcp', 'sandbox', 'share'], onlyCore, 2),
    ),
    zone('src/demo/**/*.ts', into([...above, ...services, 'util', 'text', 'core'], 'The demo agent is a program of its own.'), {
      regex: '^vscode$',
      message: 'The demo agent runs outside the extension host.',
    }),
    zone(
      'webview/**/*.{ts,tsx}',
      { regex: '^(?:\\.\\./)+src/(?!(?:core|text)(?:/|$))', message: 'The view sees only src/core and src/text.' },
      {
        regex: '^(?:vscode$|node:)',
        message: 'The view runs in a browser.',
      },
    ),

    {
      // mocha and what it loads inside VS Code are CommonJS; in src, `await import()` is what loads late.
      files: ['test/**/*.{ts,tsx}'],
      rules: { 'typescript/no-require-imports': 'off' },
    },
    {
      files: ['src/core/**/*.ts'],
      rules: {
        'no-restricted-properties': [
          'error',
          { object: 'Date', property: 'now', message: 'No clock in src/core: take the time from the event.' },
          { object: 'Math', property: 'random', message: 'No random in src/core: take the id from the event.' },
        ],
      },
    },
    restricted(['src/core/**/*.ts'], {
      selector: 'NewExpression[callee.name="Date"][arguments.length=0]',
      message: 'No clock in src/core.',
    }),
    restricted(['src/workbench/**/*.ts', 'src/application/**/*.ts', 'src/extension.ts'], ...roundWindow, ...roundEscape, localised),
    restricted(['src/workbench/shared/l10n.ts'], ...roundWindow, ...roundEscape),
    restricted(['src/application/shared/escape.ts'], ...roundWindow, localised),
    restricted(
      [
        'src/workbench/shared/window.ts',
        'src/workbench/shared/treeItem.ts',
        'src/workbench/changes/review/sourceControl.ts',
        'src/workbench/comments/commentThreads.ts',
      ],
      ...roundEscape,
      localised,
    ),
    restricted(
      ['webview/**/*.{ts,tsx}'],
      { selector: 'JSXAttribute[name.name="dangerouslySetInnerHTML"]', message: 'No raw HTML in the view.' },
      { selector: 'MemberExpression[property.name=/^(innerHTML|outerHTML|insertAdjacentHTML)$/]', message: 'No raw HTML in the view.' },
    ),
  ],
};
