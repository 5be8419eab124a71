/** The buttons of the notification of a request that is out of sight. */
import assert from 'node:assert/strict';
import { SessionStore } from '../../../../src/session/state/store';
import { systemClock } from '../../../../src/util/clock';
import { withVscode } from '../../../support/fakeVscode';
import { askOf } from '../../session/permission/fakes';

describe('the notification of a request', () => {
  let steps: string[];
  let answerNotification: (button: string) => void;
  const window = {
    showInformationMessage: (text: string, ...buttons: string[]) => {
      steps.push(text);
      return buttons.length === 0 ? Promise.resolve() : new Promise((resolve) => (answerNotification = resolve));
    },
  };
  const { notifyOfQuestion } = withVscode(
    {
      window,
      l10n: {
        t: (text: string, values: Record<string, string> = {}) => text.replace(/\{(\w+)\}/g, (_, name: string) => values[name] ?? ''),
      },
    },
    () =>
      require('../../../../src/workbench/permission/hiddenQuestions') as typeof import('../../../../src/workbench/permission/hiddenQuestions'),
  );

  /** Presses Answer… when the request waits, or after its answer. @param others other requests of the session wait */
  const pressed = async (isAnswered: boolean, others = false): Promise<readonly string[]> => {
    steps = [];
    const store = new SessionStore(systemClock);
    store.append({ type: 'permission_requested', permissionId: 'p', title: 'Run it', options: [], subject: {} });
    const ask = { ...askOf('p'), title: 'Run it', store };
    const done = notifyOfQuestion(
      ask,
      () => steps.push('revealed'),
      () => {
        steps.push(others ? 'asked' : 'nothing to ask');
        return others;
      },
    );
    if (isAnswered) {
      store.append({ type: 'permission_resolved', permissionId: 'p', outcome: 'selected' });
    }
    answerNotification('Answer…');
    await done;
    return steps.slice(1);
  };

  it('says that the request was answered, and leaves the user where they are', async () => {
    const [first, second, ...rest] = await pressed(true);
    assert.equal(first, 'nothing to ask');
    assert.match(second!, /^This request was answered already: /);
    assert.deepEqual(rest, []);
  });

  it('asks the other requests of the session', async () => {
    assert.deepEqual(await pressed(true, true), ['asked']);
  });

  it('leads to a request that waits without a pick', async () => {
    assert.deepEqual(await pressed(false), ['nothing to ask', 'revealed']);
  });
});
