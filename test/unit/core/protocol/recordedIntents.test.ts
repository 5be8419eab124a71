import assert from 'node:assert/strict';
import { VIEW_ACTIONS } from '../../../../src/core/protocol/channels/actions';
import { feed } from '../../../../src/core/protocol/channels/feed';
import { page } from '../../../../src/core/protocol/channels/page';
import { messages, recordedIntent, restrictedIntent } from '../../../../src/core/protocol/intent';
import type { FromView } from '../../../../src/core/protocol/view';
import { exampleOf } from './examples';

/** The messages that a feature takes, except the buttons, which have rules of their own. */
const ALL = (Object.keys(messages) as FromView['type'][])
  .filter((type) => !(type in page.takes) && !(type in feed.takes) && type !== 'action')
  .map(exampleOf);
const named = (all: readonly FromView[]): string[] => all.map(({ type }) => type).sort();

const allowed = VIEW_ACTIONS.filter((action) => recordedIntent({ type: 'action', action }) !== undefined);

describe('a request about a replayed log', () => {
  it('is accepted only when its declaration accepts it', () => {
    assert.deepEqual(named(ALL.filter((intent) => recordedIntent(intent))), named(ALL.filter(({ type }) => messages[type].rules.recorded)));
    assert.ok(ALL.some((intent) => !recordedIntent(intent)) && ALL.some((intent) => recordedIntent(intent)));
  });

  it('is accepted when it reads the log, or uses its code', () => {
    const counting: FromView[] = [
      { type: 'copy', text: 'a' },
      { type: 'open_link', href: 'https://example.com' },
      { type: 'run_code', text: 'ls' },
    ];
    counting.forEach((intent) => assert.equal(recordedIntent(intent), intent));
  });

  it('is refused when it answers the agent, sends a message or reads the disk', () => {
    const others: FromView[] = [
      { type: 'answer_permission', permissionId: 'p', optionId: 'y' },
      { type: 'answer_elicitation', requestKey: 'r', action: 'accept' },
      { type: 'open_elicitation', requestKey: 'r' },
      { type: 'sign_in', methodId: 'key' },
      { type: 'start_page' },
      { type: 'resume_queue' },
      { type: 'set_config', configId: 'mode', value: 'yolo' },
      { type: 'attach_files' },
    ];
    others.forEach((intent) => assert.equal(recordedIntent(intent), undefined, intent.type));
  });

  it('is refused for the buttons of a running or lost agent', () => {
    for (const action of ['retry', 'restart', 'trust_folder', 'restart_agent', 'sign_in', 'continue_here', 'change_folders'] as const) {
      assert.ok(!allowed.includes(action), action);
    }
  });

  it('continues in a new session instead of a resumed one', () => {
    assert.deepEqual(recordedIntent({ type: 'action', action: 'resume' }), { type: 'action', action: 'continue_in_new' });
  });
});

describe('a request in Restricted Mode', () => {
  it('is accepted only when its declaration accepts it', () => {
    assert.deepEqual(
      named(ALL.filter((intent) => restrictedIntent(intent))),
      named(ALL.filter(({ type }) => messages[type].rules.restricted)),
    );
    assert.ok(ALL.some((intent) => !restrictedIntent(intent)) && ALL.some((intent) => restrictedIntent(intent)));
  });

  it('is accepted only when it reads the conversation', () => {
    const counting: FromView[] = [
      { type: 'copy', text: 'a' },
      { type: 'open_link', href: 'https://example.com' },
      { type: 'action', action: 'trust_folder' },
      { type: 'action', action: 'new_session' },
    ];
    counting.forEach((intent) => assert.equal(restrictedIntent(intent), intent));
    const others: FromView[] = [
      { type: 'run_code', text: 'ls' },
      { type: 'files', texts: ['a.ts'] },
      { type: 'start_page' },
      { type: 'prompt', content: [{ type: 'text', text: 'go' }] },
      { type: 'find_mentions', queryId: 1, text: 'a' },
      { type: 'attach_files' },
    ];
    others.forEach((intent) => assert.equal(restrictedIntent(intent), undefined, intent.type));
  });

  it('is refused for the buttons that start an agent', () => {
    const counting = VIEW_ACTIONS.filter((action) => restrictedIntent({ type: 'action', action }) !== undefined);
    assert.ok(counting.length > 0);
    for (const action of ['retry', 'restart', 'resume', 'fork', 'continue_with', 'continue_in_new', 'try_demo', 'continue_here'] as const) {
      assert.ok(!counting.includes(action), action);
    }
  });
});
