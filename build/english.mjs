// `npm run english`: the readability of comments, test titles and Markdown, and the names in them that do not exist.
//
// - `npm run english` fails when a count is above its limit in build/englishLimits.json
// - `npm run english -- --list` prints everything that is flagged
// - `npm run english -- --paths P…` reads and prints these files and folders only, without limits
// - `npm run english -- --lower` writes lower counts into the limits; a limit never rises
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { countedAs, countsOf, overLimit, sentenceOf } from './plainEnglish/limits.mjs';
import { findDeadNames } from './plainEnglish/names.mjs';
import { findProse } from './plainEnglish/prose.mjs';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
const limitsFile = path.join(root, 'build', 'englishLimits.json');

const { values: flags, positionals } = parseArgs({
  options: { list: { type: 'boolean' }, lower: { type: 'boolean' }, paths: { type: 'boolean' } },
  allowPositionals: true,
});
if (flags.paths !== (positionals.length > 0 || undefined)) throw new Error('--paths needs files or folders behind it');
const paths = flags.paths ? positionals : undefined;

const findings = [...findProse(root, paths), ...findDeadNames(root, paths)];
const counts = countsOf(findings);
if (flags.list || paths) for (const finding of findings) console.log(sentenceOf(finding));
for (const [kind, count] of Object.entries(counts)) console.log(`${kind}: ${count}${paths ? '' : ` of ${readLimits()[kind]}`}`);
if (!paths) check();

function check() {
  const limits = readLimits();
  const over = overLimit(counts, limits);
  if (over.length > 0) {
    const changed = changedFiles();
    const flagged = findings.filter((finding) => changed.has(finding.file) && over.includes(countedAs(finding)));
    console.error(`\nAbove the limit: ${over.join(', ')}. Flagged in changed files:`);
    for (const finding of flagged) console.error(`  ${sentenceOf(finding)}`);
    if (flagged.length === 0) console.error('  nothing; `npm run english -- --list` prints all of it');
    process.exitCode = 1;
  } else if (flags.lower) {
    writeFileSync(limitsFile, `${JSON.stringify(counts, undefined, 2)}\n`);
  } else if (Object.keys(counts).some((kind) => counts[kind] < limits[kind])) {
    console.log('Lower the limits: npm run english -- --lower');
  }
}

function readLimits() {
  return JSON.parse(readFileSync(limitsFile, 'utf8'));
}

/** The files that differ from the main branch. On the main branch itself: from the commit before. Empty without git. */
function changedFiles() {
  const git = (/** @type {string[]} */ ...args) => {
    try {
      return execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
    } catch {
      return '';
    }
  };
  const head = git('rev-parse', 'HEAD');
  const base = git('merge-base', 'HEAD', 'main');
  const since = base === '' || base === head ? 'HEAD~1' : base;
  return new Set([git('diff', '--name-only', since), git('ls-files', '--others', '--exclude-standard')].join('\n').split('\n'));
}
