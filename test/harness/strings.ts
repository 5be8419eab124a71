// Lists every string that a user can read, from code and manifest, one per line: kind, place, text.
// `npm run strings [-- <part of a line>]`.
import path from 'node:path';
import { userStrings } from '../support/userStrings';

const root = path.resolve(__dirname, '../..');
const wanted = (process.argv[2] ?? '').toLowerCase();
const lines = userStrings(root).strings.map(({ kind, place, text }) => [kind, place, JSON.stringify(text)].join('\t'));
const shown = lines.filter((line) => line.toLowerCase().includes(wanted));
process.stdout.write(shown.map((line) => `${line}\n`).join(''));
process.stderr.write(`${shown.length} strings\n`);
