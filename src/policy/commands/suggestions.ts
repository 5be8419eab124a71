/** The patterns that are offered for a command line. Pure. */
import { readsOnly, runsOthers } from './programs';
import { parsePattern } from './patterns';
import type { CommandReading } from './reading';

/** Programs whose first word names what they do. */
const SUBCOMMANDS =
  /^(?:git|npm|pnpm|yarn|bun|cargo|go|dotnet|gh|kubectl|helm|terraform|poetry|pip|pip3|uv|gradle|gradlew|mvn|rails|bundle|composer|mix|swift|flutter|dart|apt|brew|systemctl|nx|turbo|lerna|ng|vue|jj|hg|svn|zig|stack|cabal|dune|opam|conan|vcpkg|az|aws|gcloud|vercel|wrangler|firebase)$/;
/** Programs whose second word is a name that the user chose. */
const SCRIPTS: Readonly<Record<string, RegExp>> = {
  npm: /^(?:run|run-script)$/,
  pnpm: /^run$/,
  yarn: /^run$/,
  bun: /^run$/,
  nx: /^run$/,
  uv: /^run$/,
};
/** Subcommands that run what the next words name. */
const RUNNERS =
  /^(?:exec|x|dlx|create|init|publish|explore|config|api|alias|extension|auth|credential|filter-branch|bisect|submodule|install|add|global|tool)$/;

/** Returns the narrowest pattern first. Empty when no pattern can say the whole effect in words. */
export function suggestPatterns(line: string, { segments, doubts }: CommandReading): readonly string[] {
  const text = line.trim();
  const isOpen = segments.some(({ redirections }) =>
    redirections.some(({ access, target }) => access === 'writes' && target === undefined),
  );
  if (isOpen || doubts.length > 0 || segments.length === 0 || /[\r\n]/.test(text) || text.length > 500) {
    return [];
  }
  const exact = parsePattern(text)?.takesArguments === true ? [] : [text];
  const [only, ...more] = segments.filter(({ words }) => words[0] !== 'cd');
  const isPlain = only !== undefined && more.length === 0 && only.assigns.length === 0 && only.inner.length === 0;
  const isKnown = isPlain && only.redirections.every(({ access }) => access === 'reads') && only.words.every((word) => word !== undefined);
  if (segments.some(({ words: [program] }) => program !== undefined && runsOthers(program))) {
    return [];
  }
  if (!isKnown) {
    return exact;
  }
  const words = only.words as readonly string[];
  const wide = widened(words);
  return [
    ...new Set([
      ...exact,
      ...(wide === undefined || readsOnly(words) ? [] : [wide]),
      ...(readsOnly(words) && wide !== undefined ? [wide] : []),
    ]),
  ];
}

function widened(words: readonly string[]): string | undefined {
  const [program = '', first, second] = words;
  const plain = (word: string | undefined): word is string => word !== undefined && /^[A-Za-z][\w:.@/-]*$/.test(word);
  if (/[\\/\s'"*]/.test(program)) {
    return undefined;
  }
  if (!SUBCOMMANDS.test(program)) {
    return words.length > 1 ? `${program} *` : undefined;
  }
  if (!plain(first) || RUNNERS.test(first)) {
    return undefined;
  }
  if (SCRIPTS[program]?.test(first) === true) {
    return plain(second) ? `${program} ${first} ${second} *` : undefined;
  }
  return `${program} ${first} *`;
}
