/** Pending changes of a text, while agent, user and other programs write. */
import assert from 'node:assert/strict';
import { LiveHunks } from '../../../src/changes/hunks/liveHunks';

const USER = { type: 'user' } as const;
const EXTERNAL = { type: 'external' } as const;
const AGENT = { type: 'agent', by: 'turn-1' } as const;

const BEFORE = 'one\ntwo\nthree\nfour\nfive\n';
const AFTER = 'one\n2\nthree\nfour\nfive\nsix\n';

/** Line 2 was changed, and line 6 is new. */
function changed(): LiveHunks {
  const hunks = LiveHunks.of(BEFORE);
  hunks.replace(AFTER, AGENT);
  return hunks;
}

function shown(hunks: LiveHunks): string[] {
  return hunks.hunks.map(({ start, end, oldText }) => `${oldText}>${hunks.text.slice(start, end)}`);
}

function type(hunks: LiveHunks, before: string, text: string): void {
  const at = hunks.text.indexOf(before);
  hunks.edit([{ start: at, end: at, text }], USER);
}

describe('live hunks', () => {
  it('are the lines that the agent changed', () => {
    const hunks = changed();
    assert.deepEqual(shown(hunks), ['two\n>2\n', '>six\n']);
    assert.equal(hunks.baseline, BEFORE);
    assert.deepEqual(
      hunks.hunks.map((hunk) => hunks.linesOf(hunk)),
      [
        { first: 1, end: 2 },
        { first: 5, end: 6 },
      ],
    );
  });

  it('do not contain the line beside an insertion', () => {
    for (const [before, after] of [
      ['x\ny\n', 'new\nx\ny\n'],
      ['x', 'new\nx'],
      ['x\ny\n', 'x\nnew\ny\n'],
    ] as const) {
      const hunks = LiveHunks.of(before);
      hunks.replace(after, AGENT);
      assert.deepEqual(shown(hunks), ['>new\n']);
    }
  });

  it('leave typing outside them in the baseline, and include typing inside them', () => {
    const hunks = changed();
    type(hunks, 'three', 'USER ');
    type(hunks, '2\n', 'not ');
    assert.deepEqual(shown(hunks), ['two\n>not 2\n', '>six\n']);
    assert.equal(hunks.baseline, 'one\ntwo\nUSER three\nfour\nfive\n');
  });

  it('do not include lines typed directly above and below them', () => {
    const hunks = changed();
    type(hunks, '2\n', 'above\n');
    type(hunks, 'three', 'below\n');
    assert.deepEqual(shown(hunks), ['two\n>2\n', '>six\n']);
    assert.equal(hunks.baseline, 'one\nabove\ntwo\nbelow\nthree\nfour\nfive\n');
  });

  it('stay when another one is kept; undoing one is an edit that can be undone', () => {
    const hunks = changed();
    const [first, second] = hunks.hunks;
    hunks.keep([first!.hunkId]);
    assert.equal(hunks.baseline, 'one\n2\nthree\nfour\nfive\n');
    const edits = hunks.undoEdits([second!.hunkId]);
    assert.deepEqual(edits, [{ start: 22, end: 26, text: '' }]);
    hunks.edit(edits, USER);
    assert.equal(hunks.text, 'one\n2\nthree\nfour\nfive\n');
    assert.deepEqual(hunks.hunks, []);
    assert.deepEqual(
      hunks.setAside.map(({ newText, status }) => [newText, status]),
      [['six\n', 'undone']],
    );
    hunks.edit([{ start: 22, end: 22, text: 'six\n' }], USER);
    assert.deepEqual([shown(hunks), hunks.setAside], [['>six\n'], []]);
  });

  it('can be applied again after an undo where they still fit, and only there', () => {
    const hunks = changed();
    const [{ hunkId } = { hunkId: 0 }] = hunks.hunks;
    hunks.edit(hunks.undoEdits([hunkId]), USER);
    assert.deepEqual(hunks.reapplyEdit(hunkId), { start: 4, end: 8, text: '2\n' });
    type(hunks, 'two', 'number ');
    assert.equal(hunks.reapplyEdit(hunkId), undefined);
  });

  it('stay at their lines when a formatter rewrites every line', () => {
    const hunks = changed();
    hunks.edit([{ start: 0, end: hunks.text.length, text: AFTER.replace(/^/gm, '  ').slice(0, -2) }], USER);
    assert.deepEqual(shown(hunks), ['two\n>  2\n', '>  six\n']);
    assert.equal(hunks.baseline, '  one\ntwo\n  three\n  four\n  five\n');
  });

  it('become stale when another branch is checked out, and return with theirs', () => {
    const hunks = changed();
    hunks.replace('other\nfile\n', EXTERNAL);
    assert.deepEqual([hunks.hunks, hunks.setAside.map(({ status }) => status)], [[], ['stale', 'stale']]);
    hunks.replace(AFTER, EXTERNAL);
    assert.deepEqual([shown(hunks), hunks.setAside], [['two\n>2\n', '>six\n'], []]);
  });

  it('are set aside by a stash, and return with it', () => {
    const hunks = changed();
    hunks.replace(BEFORE, EXTERNAL);
    assert.deepEqual([hunks.hunks.length, hunks.setAside.length], [0, 2]);
    hunks.replace(AFTER, EXTERNAL);
    assert.deepEqual([shown(hunks), hunks.setAside], [['two\n>2\n', '>six\n'], []]);
  });

  describe('when another program replaces one of them and a line elsewhere', () => {
    const replaced = (): LiveHunks => {
      const hunks = changed();
      // One block, as an editor reports the reload of a file.
      hunks.edit([{ start: 4, end: 17, text: '22\nthree\nFOUR\n' }], EXTERNAL);
      assert.deepEqual([hunks.text, shown(hunks)], ['one\n22\nthree\nFOUR\nfive\nsix\n', ['>six\n']]);
      return hunks;
    };

    it('return when their text does, also by an edit within the line and after a reload', () => {
      const [line, character, reloaded] = [replaced(), replaced(), replaced()];
      line.edit([{ start: 4, end: 7, text: '2\n' }], USER);
      character.edit([{ start: 5, end: 6, text: '' }], USER);
      const loaded = LiveHunks.from(reloaded.stored, reloaded.text);
      loaded.replace(loaded.text.replace('22', '2'), EXTERNAL);
      for (const hunks of [line, character, loaded]) {
        assert.deepEqual([shown(hunks), hunks.setAside], [['two\n>2\n', '>six\n'], []]);
      }
    });

    it('return when the lines around them were replaced too', () => {
      const hunks = changed();
      hunks.replace('ONE\nand\n22\nTHREE\nFOUR\nfive\nsix\n', EXTERNAL);
      hunks.replace('one\n2\nthree\nfour\nfive\nSIX\n', EXTERNAL);
      assert.deepEqual(shown(hunks), ['two\n>2\n']);
    });

    it('stay set aside when other text comes to their place, or the agent writes there', () => {
      const [user, agent] = [replaced(), replaced()];
      user.edit([{ start: 4, end: 7, text: 'two\n' }], USER);
      agent.replace(agent.text.replace('22', '2'), AGENT);
      assert.deepEqual([shown(user), shown(agent)], [['>six\n'], ['22\n>2\n', '>six\n']]);
    });
  });

  it('ignore other line ends', () => {
    const hunks = changed();
    hunks.replace(AFTER.replaceAll('\n', '\r\n'), EXTERNAL);
    assert.deepEqual(shown(hunks), ['two\r\n>2\r\n', '>six\r\n']);
    assert.equal(hunks.baseline, BEFORE.replaceAll('\n', '\r\n'));
  });

  it('are kept when a commit contains them', () => {
    const hunks = changed();
    assert.equal(hunks.keepCommitted('one\n2\nthree\nfour\nfive\n').length, 1);
    assert.deepEqual(shown(hunks), ['>six\n']);
    assert.equal(hunks.keepCommitted(AFTER).length, 1);
    assert.equal(hunks.baseline, AFTER);
  });

  it('end when they differ only in line ends and the file has those ends', () => {
    const hunks = LiveHunks.of('one\ntwo\nthree\n');
    hunks.replace('one\r\ntwo\n3\n', AGENT);
    assert.deepEqual(shown(hunks), ['one\n>one\r\n', 'three\n>3\n']);
    hunks.replace('one\r\ntwo\r\n3\r\n', EXTERNAL);
    assert.deepEqual(shown(hunks), ['three\r\n>3\r\n']);
  });

  it('are not kept by a commit that does not contain their deletion', () => {
    const hunks = LiveHunks.of(BEFORE);
    hunks.replace('one\nthree\nfour\nfive\n', AGENT);
    assert.deepEqual(hunks.keepCommitted(BEFORE), []);
    assert.equal(hunks.keepCommitted('one\nthree\nfour\nfive\n').length, 1);
  });

  it('are reviewed until the agent changes them again, across a reload too', () => {
    const hunks = changed();
    hunks.setReviewed(
      hunks.hunks.map(({ hunkId }) => hunkId),
      true,
    );
    const again = LiveHunks.from(JSON.parse(JSON.stringify(hunks.stored)) as typeof hunks.stored, hunks.text);
    again.replace(AFTER.replace('2', 'II'), { type: 'agent', by: 'turn-2' });
    assert.deepEqual(
      again.hunks.map(({ reviewed, by }) => [reviewed, by]),
      [
        [false, ['turn-1', 'turn-2']],
        [true, ['turn-1']],
      ],
    );
  });

  it("set the user's text in a change aside when the agent overwrites it", () => {
    const hunks = changed();
    type(hunks, '2\n', 'mine ');
    hunks.replace(AFTER.replace('2', 'II'), AGENT);
    assert.deepEqual(
      hunks.setAside.map(({ newText, status }) => [newText, status]),
      [['mine 2\n', 'overwritten']],
    );
  });

  it('follow edits of one event that overlap each other', () => {
    const hunks = changed();
    // The second edit replaces a part of the text that the first one wrote.
    const edits = [
      { start: 8, end: 8, text: 'mine\n' },
      { start: 6, end: 10, text: 'my' },
    ];
    assert.equal(hunks.edit(edits, USER), true);
    assert.equal(hunks.text, 'one\n2\nmyne\nree\nfour\nfive\nsix\n');
    assert.deepEqual(shown(hunks), ['two\n>2\n', '>six\n']);
  });

  it('are unchanged when a copy is written', () => {
    const hunks = changed();
    const copy = hunks.copy();
    copy.replace(BEFORE, USER);
    assert.deepEqual([shown(copy), shown(hunks), hunks.text], [[], ['two\n>2\n', '>six\n'], AFTER]);
  });
});
