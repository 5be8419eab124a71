/** The highlighted languages with their common names, and their TextMate grammars: each is a file of its own, loaded at its first use. */

type Load = () => Promise<{ readonly default: string }>;

const GRAMMARS = {
  bat: () => import('grammar:bat'),
  c: () => import('grammar:c'),
  clojure: () => import('grammar:clojure'),
  cmake: () => import('grammar:cmake'),
  cpp: () => import('grammar:cpp'),
  'cpp-macro': () => import('grammar:cpp-macro'),
  csharp: () => import('grammar:csharp'),
  css: () => import('grammar:css'),
  dart: () => import('grammar:dart'),
  diff: () => import('grammar:diff'),
  docker: () => import('grammar:docker'),
  elixir: () => import('grammar:elixir'),
  erlang: () => import('grammar:erlang'),
  fsharp: () => import('grammar:fsharp'),
  go: () => import('grammar:go'),
  graphql: () => import('grammar:graphql'),
  groovy: () => import('grammar:groovy'),
  haskell: () => import('grammar:haskell'),
  html: () => import('grammar:html'),
  'html-derivative': () => import('grammar:html-derivative'),
  ini: () => import('grammar:ini'),
  java: () => import('grammar:java'),
  javascript: () => import('grammar:javascript'),
  json: () => import('grammar:json'),
  jsonc: () => import('grammar:jsonc'),
  julia: () => import('grammar:julia'),
  kotlin: () => import('grammar:kotlin'),
  less: () => import('grammar:less'),
  lua: () => import('grammar:lua'),
  make: () => import('grammar:make'),
  markdown: () => import('grammar:markdown'),
  nix: () => import('grammar:nix'),
  'objective-c': () => import('grammar:objective-c'),
  ocaml: () => import('grammar:ocaml'),
  perl: () => import('grammar:perl'),
  php: () => import('grammar:php'),
  powershell: () => import('grammar:powershell'),
  proto: () => import('grammar:proto'),
  python: () => import('grammar:python'),
  r: () => import('grammar:r'),
  regexp: () => import('grammar:regexp'),
  ruby: () => import('grammar:ruby'),
  rust: () => import('grammar:rust'),
  scala: () => import('grammar:scala'),
  scss: () => import('grammar:scss'),
  shellscript: () => import('grammar:shellscript'),
  solidity: () => import('grammar:solidity'),
  sql: () => import('grammar:sql'),
  svelte: () => import('grammar:svelte'),
  swift: () => import('grammar:swift'),
  toml: () => import('grammar:toml'),
  tsx: () => import('grammar:tsx'),
  typescript: () => import('grammar:typescript'),
  vb: () => import('grammar:vb'),
  viml: () => import('grammar:viml'),
  vue: () => import('grammar:vue'),
  'vue-directives': () => import('grammar:vue-directives'),
  'vue-interpolations': () => import('grammar:vue-interpolations'),
  xml: () => import('grammar:xml'),
  yaml: () => import('grammar:yaml'),
  zig: () => import('grammar:zig'),
} satisfies Record<string, Load>;

type Grammar = keyof typeof GRAMMARS;

/** Other names and file extensions. Each grammar below is also its own name. */
const NAMES: Readonly<Partial<Record<Grammar, string>>> = {
  bat: 'batch cmd',
  c: 'h',
  clojure: 'clj cljs cljc edn',
  cpp: 'c++ cc cxx hpp hh hxx h++ ino cu',
  csharp: 'c# cs csx',
  diff: 'patch',
  docker: 'dockerfile containerfile',
  elixir: 'ex exs',
  erlang: 'erl hrl',
  fsharp: 'f# fs fsx fsi',
  go: 'golang',
  graphql: 'gql',
  groovy: 'gradle jenkinsfile',
  haskell: 'hs',
  html: 'htm xhtml',
  ini: 'cfg conf properties dotenv env editorconfig gitconfig',
  javascript: 'js cjs mjs jsx javascriptreact node',
  json: 'jsonl ndjson webmanifest ipynb',
  jsonc: 'json5 code-workspace',
  julia: 'jl',
  kotlin: 'kt kts',
  make: 'makefile mk',
  markdown: 'md mdx',
  'objective-c': 'objc objectivec m',
  ocaml: 'ml mli',
  perl: 'pl pm',
  powershell: 'ps1 psm1 psd1 pwsh ps',
  proto: 'protobuf',
  python: 'py pyi pyw python3 py3',
  regexp: 'regex',
  ruby: 'rb gemfile rakefile gemspec',
  rust: 'rs',
  scala: 'sbt sc',
  scss: 'sass',
  shellscript: 'sh bash zsh ksh shell console shellsession shell-session terminal bashrc zshrc',
  solidity: 'sol',
  sql: 'mysql pgsql postgres postgresql plsql tsql sqlite',
  tsx: 'typescriptreact',
  typescript: 'ts cts mts',
  vb: 'vbnet visualbasic',
  viml: 'vim vimscript',
  xml: 'xsd xsl xslt svg plist csproj props pom rss',
  yaml: 'yml',
};

/** Languages that may be embedded in a grammar. Others stay plain there. */
const EMBEDDED: Readonly<Partial<Record<Grammar, readonly Grammar[]>>> = {
  cpp: ['cpp-macro'],
  html: ['css', 'javascript'],
  markdown: ['html', 'css', 'javascript', 'typescript', 'json', 'shellscript', 'python', 'yaml'],
  php: ['html', 'css', 'javascript', 'sql'],
  python: ['regexp'],
  scss: ['css'],
  svelte: ['html', 'css', 'scss', 'javascript', 'typescript'],
  vue: ['html-derivative', 'html', 'css', 'scss', 'javascript', 'typescript', 'vue-directives', 'vue-interpolations'],
};

/** Grammars that are injected into another grammar, which does not name them itself. */
const INJECTED: Readonly<Partial<Record<Grammar, readonly Grammar[]>>> = { vue: ['vue-directives', 'vue-interpolations'] };

/** A language by its canonical name. */
export type Language = string & { readonly language: true };

const known = new Map<string, Grammar>();
for (const grammar of Object.keys(GRAMMARS) as Grammar[]) {
  for (const name of [grammar, ...(NAMES[grammar]?.split(' ') ?? [])]) {
    known.set(name, grammar);
  }
}

/** Returns the language for a block's label ("ts", "TypeScript", "{.python}") or a file's extension; undefined when it is not supported. */
export function languageOf(label: string): Language | undefined {
  const name = label
    .trim()
    .toLowerCase()
    .replace(/^language-|^[{.]+|\}$/g, '');
  return known.get(name) as string | undefined as Language | undefined;
}

export interface LanguageTexts {
  /** Grammars as JSON, the language's own first. */
  readonly grammars: readonly string[];
  /** The number of grammars at the end that are injected into the first. */
  readonly injected: number;
}

export async function loadLanguage(language: Language): Promise<LanguageTexts> {
  const own = language as string as Grammar;
  const injected = INJECTED[own] ?? [];
  const names = [own, ...(EMBEDDED[own] ?? []).filter((grammar) => !injected.includes(grammar)), ...injected];
  const modules = await Promise.all(names.map((name) => (GRAMMARS[name] as Load)()));
  return { grammars: modules.map((module) => module.default), injected: injected.length };
}
