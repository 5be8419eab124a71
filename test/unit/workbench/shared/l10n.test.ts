/** Every string that the user reads is in l10n/bundle.l10n.json, the file that translators start from. `ACP_HOST_UPDATE_GOLDEN=1` rewrites it. */
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { userStrings } from '../../../support/userStrings';

const root = path.resolve(__dirname, '../../../..');
const bundleFile = path.join(root, 'l10n/bundle.l10n.json');

describe('words in the user’s language', () => {
  const { strings, unreadable } = userStrings(root);
  const messages = [...new Set(strings.filter(({ kind }) => kind === 'message').map(({ text }) => text))].sort();

  it('are found in host and view', () => {
    assert.deepEqual(unreadable, []);
    assert.ok(messages.includes('Select an agent') && messages.includes('Pending'), 'host and view are both read');
  });

  it('match the bundle exactly', () => {
    const wanted = Object.fromEntries(messages.map((message) => [message, message]));
    if (process.env['ACP_HOST_UPDATE_GOLDEN'] === '1') {
      writeFileSync(bundleFile, JSON.stringify(wanted, null, 2) + '\n');
    }
    const bundle = JSON.parse(readFileSync(bundleFile, 'utf8')) as Record<string, string>;
    assert.deepEqual(bundle, wanted, 'run: ACP_HOST_UPDATE_GOLDEN=1 npm run test:unit -- --grep "user’s language"');
  });
});
