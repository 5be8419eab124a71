/** The texts that users read: no abandoned term, and one term for one thing. `npm run strings` lists them all. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { type UserString, userStrings } from '../support/userStrings';

const root = path.resolve(__dirname, '../..');

/** Abandoned terms, and the ones that replace them. */
const GIVEN_UP: readonly (readonly [old: RegExp, now: string])[] = [
  [/takes no messages now/i, 'Agent isn’t running'],
  [/not known whether signed in/i, 'nothing'],
  [/answered (\{method\}|[a-z]+\/[a-z_]+) with an error/i, '{agent} couldn’t start a session.'],
  [/this was run/i, 'Command:'],
  [/read what it said|correct its entry/i, 'Check the output below, then retry or edit the agent’s settings.'],
  [/not on the PATH needs|needs its whole path/i, 'If it isn’t on your PATH, use the full path.'],
  [/start VS Code anew/i, 'restart VS Code'],
  [/your text is kept/i, 'Your message was not sent.'],
  [/allows? this from now on/i, 'Always allow'],
  [/(allows?|rejects?) this once/i, 'the option’s own name'],
  [/asks for your permission/i, '{agent} needs your permission'],
  [/\(needs you\)/i, 'needs approval'],
  [/^waiting for a message$/i, 'idle'],
  [/sessions that an agent keeps|open agent session/i, 'Browse Agent History…'],
  [/delete record only/i, 'Delete from VS Code Only'],
  [
    /does not offer to delete its sessions|only the record in VS Code/i,
    'Only the copy in VS Code will be deleted. {agent} can’t delete its own.',
  ],
  [/forget sign-in values/i, 'Clear Saved Credentials…'],
  [/nothing is kept that was typed/i, 'No saved credentials.'],
  [/whose values/i, 'Select an agent'],
  [/attach files to the message/i, 'Add to Agent Chat'],
  [/problems of the active editor/i, 'Add Problems from Active File'],
  [/after a look at the difference/i, 'Preview and Apply…'],
  [/\(the agent.s change\)/i, '(proposed changes) or (applied changes)'],
  [/^(in the context|room for|full|left)$/i, 'Context: 158K of 200K (79%)'],
  [/little room is left|may forget what came first/i, 'Context is almost full. Earlier messages may be dropped.'],
  [/is from an earlier window|sending a message resumes/i, 'Send a message to resume this session.'],
  [/told nothing of what was said|is our own record/i, 'Session resumed. The agent didn’t send its history; …'],
  [/^used last$/i, 'Last used'],
  [/^your settings$/i, 'Custom'],
  [/well-known agents/i, 'Popular'],
  [/\bruns since\b/i, 'Running since'],
  [/scripted guide to this extension|needs no key and no network/i, 'Try it without an account (works offline)'],
  [/among your agents/i, 'Default agent "{name}" isn’t configured.'],
  [/you chose:/i, 'Allowed'],
  [/counts for agents started/i, 'Applies to agents started after the change.'],
  [/when your hands are still/i, 'when you’re not typing'],
  [/your editor is the truth/i, 'Works with your unsaved edits'],
  [/send it when the turn is done/i, 'nothing: it is queued'],
  [/answer to .* could not be understood/i, '{agent} sent a session/new response that isn’t valid.'],
  [/\banew\b|\bshall\b|\bof yours\b|\bis done again\b|\bstands above\b/i, 'plain English'],
];

/** One term for one thing, as VS Code uses it. */
const ONE_WORD: readonly (readonly [other: RegExp, word: string])[] = [
  [/\bchoose\b|\bchosen\b/i, 'select'],
  [/\bcancell(ed|ing)\b/i, 'canceled'],
  [/[’‘“”]/, 'straight quotes'],
];

const { strings } = userStrings(root);

function found(rules: readonly (readonly [RegExp, string])[], among: readonly UserString[]): string[] {
  return among.flatMap(({ place, text }) =>
    rules.filter(([old]) => old.test(text)).map(([old, now]) => `${place}: ${JSON.stringify(text)} has ${String(old)}; say: ${now}`),
  );
}

/** A document's lines. */
function linesOf(file: string): UserString[] {
  return readFileSync(path.join(root, file), 'utf8')
    .split('\n')
    .map((text, index) => ({ kind: 'manifest', place: `${file}:${index + 1}`, text }));
}

describe('texts that users read', () => {
  it('are found in code, page, demo and manifest', () => {
    const kinds = new Set(strings.map(({ kind }) => kind));
    assert.deepEqual([...kinds].sort(), ['demo', 'fault', 'jsx', 'log', 'manifest', 'message', 'own']);
    assert.ok(strings.length > 900, String(strings.length));
    for (const text of ['Last used', 'Command:', 'Tour', 'Browse Agent History…', 'Always allow']) {
      assert.ok(
        strings.some((each) => each.text.toLowerCase() === text.toLowerCase()),
        text,
      );
    }
  });

  it('contain no abandoned term, in the product and in the documents', () => {
    assert.deepEqual(found(GIVEN_UP, strings), []);
    assert.deepEqual(found(GIVEN_UP, ['README.md', 'CHANGELOG.md'].flatMap(linesOf)), []);
  });

  it('use one term for one thing', () => {
    const ours = strings.filter(({ kind }) => kind === 'message' || kind === 'manifest');
    assert.deepEqual(found(ONE_WORD, ours), []);
  });

  it('include a title for each command by which it is found, and no two the same', () => {
    const { contributes } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
    const words = JSON.parse(readFileSync(path.join(root, 'package.nls.json'), 'utf8'));
    const worded = (text: string): string => text.replace(/^%(.+)%$/, (_, key: string) => words[key]);
    const titles: string[] = contributes.commands
      // Buttons of a row have the same title as the entries of its menu.
      .filter((each: { command: string }) => !each.command.endsWith('Button'))
      .map((each: { category: string; title: string }) => `${worded(each.category)}: ${worded(each.title)}`);
    assert.ok(titles.includes('ACP: New Session'));
    for (const typed of ['chat', 'agent', 'history', 'new agent session', 'acp']) {
      assert.ok(
        titles.some((title) => title.toLowerCase().includes(typed)),
        typed,
      );
    }
    assert.equal(new Set(titles).size, titles.length);
  });
});
