import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { feed } from '../../../../src/core/protocol/channels/feed';
import { page } from '../../../../src/core/protocol/channels/page';
import type { start } from '../../../../src/core/protocol/channels/start';
import * as channels from '../../../../src/core/protocol/channels';
import { messages, recordedIntent, restrictedIntent, rulesOf } from '../../../../src/core/protocol/intent';
import type { FromView } from '../../../../src/core/protocol/view';
import type { Session } from '../../../../src/session/session';
import type { Feature, Showing } from '../../../../src/application/routing/feature';
import { feature } from '../../../../src/workbench/routing/feature';
import { withVscode } from '../../../support/fakeVscode';
import { exampleOf } from '../../core/protocol/examples';
import { quiet } from '../../session/fakes';

const workspace = { isTrusted: true };
const { FeatureRouter, features } = withVscode({ workspace, window: {}, env: {}, l10n: {}, EventEmitter: class {} }, () => ({
  ...(require('../../../../src/workbench/routing/featureRouter') as typeof import('../../../../src/workbench/routing/featureRouter')),
  features: (require('folder:../../../../src/workbench/features') as { readonly default: Readonly<Record<string, Feature<never>>> })
    .default,
}));
/** Answers to every name, so that any service can be taken from it. */
const services = new Proxy({}, { get: () => () => undefined });
const session = { isRecorded: false } as Session;
const showing: Showing = { disposed: false, add: (owned) => owned, send: () => undefined, onHide: () => undefined };
const post = (): void => undefined;
/** The messages that features take. The page and the feed handle their own. */
const ALL = (Object.keys(messages) as FromView['type'][]).filter((type) => !(type in page.takes) && !(type in feed.takes)).map(exampleOf);

/** A router whose handlers only record the messages. */
function recordingRouter() {
  const handled: FromView[] = [];
  const names = Object.fromEntries(ALL.map(({ type }) => [type, (message: object) => void handled.push(message as FromView)]));
  const router = new FeatureRouter([names], quiet);
  return { act: router.act.bind(router), take: () => handled.splice(0) };
}

describe('the router of the features', () => {
  afterEach(() => (workspace.isTrusted = true));

  it('finds one handler for each message of each channel, in the file of its name', () => {
    const handled = Object.entries(features).map(([name, feature]) => [name, Object.keys(feature(services as never)).sort()]);
    const taken = Object.entries(channels)
      .filter(([, channel]) => channel !== page && channel !== feed)
      .map(([name, { takes }]) => [name, Object.keys(takes).sort()]);
    assert.deepEqual(Object.fromEntries(handled), Object.fromEntries(taken));
  });

  it('knows the channel of each file', () => {
    const files = readdirSync(path.resolve(__dirname, '../../../../src/core/protocol/channels')).map((file) => path.parse(file).name);
    assert.deepEqual(files.sort(), Object.keys(channels).sort());
  });

  it('knows each name from one channel', () => {
    const names = Object.values(channels).flatMap(({ takes }) => Object.keys(takes));
    assert.deepEqual(names.sort(), Object.keys(messages).sort());
  });

  it('has handlers of all messages, and services that the composition root provides, or does not compile', () => {
    const handler = (): void => undefined;
    assert.ok(feature<typeof start, { readonly clock: object }>(() => ({ start_page: handler, open_session: handler })));
    // @ts-expect-error open_session has no handler
    assert.ok(feature<typeof start>(() => ({ start_page: handler })));
    // @ts-expect-error FeatureServices has no printer
    assert.ok(feature<typeof start, { readonly printer: object }>(() => ({ start_page: handler, open_session: handler })));
  });

  it('passes every message of a running session', () => {
    const { act, take } = recordingRouter();
    ALL.forEach((message) => act(message, { session, showing, post }));
    assert.deepEqual(take(), ALL);
  });

  it('passes of a replayed log, and in Restricted Mode, only declared messages', () => {
    const { act, take } = recordingRouter();
    const recorded = { isRecorded: true } as Session;
    ALL.forEach((message) => act(message, { session: recorded, showing, post }));
    assert.deepEqual(
      take(),
      ALL.flatMap((message) => recordedIntent(message) ?? []),
    );
    workspace.isTrusted = false;
    ALL.forEach((message) => act(message, { session, showing, post }));
    assert.deepEqual(
      take(),
      ALL.flatMap((message) => restrictedIntent(message) ?? []),
    );
  });

  it('logs the error of a handler', async () => {
    const errors: string[] = [];
    const failing = { cancel: () => Promise.reject(new Error('gone')), confirm_cancel: () => assert.fail('at once') };
    const router = new FeatureRouter([failing], { error: (text) => errors.push(text) });
    await router.act({ type: 'cancel' }, { session, showing, post });
    await router.act({ type: 'confirm_cancel' }, { session, showing, post });
    assert.deepEqual(
      errors.map((error) => error.split('\n')[0]),
      ['cancel: Error: gone', 'confirm_cancel: AssertionError [ERR_ASSERTION]: at once'],
    );
  });

  it('drops messages about a showing that has ended', () => {
    const { act, take } = recordingRouter();
    const others = ALL.filter((message) => !rulesOf(message).aboutShowing);
    ALL.forEach((message) => act(message, { session, showing: undefined, post }));
    assert.deepEqual(take(), others);
    ALL.forEach((message) => act(message, { session, showing: { ...showing, disposed: true }, post }));
    assert.deepEqual(take(), others);
  });

  it('passes of a page without a session only the messages that do without', () => {
    const { act, take } = recordingRouter();
    ALL.forEach((message) => act(message, { session: undefined, showing: undefined, post }));
    const accepted = ALL.filter((message) => rulesOf(message).withoutSession);
    assert.deepEqual(take(), accepted);
    assert.ok(accepted.some(({ type }) => type === 'action') && accepted.length < ALL.length);
  });
});
