import assert from 'node:assert/strict';
import { indentJson } from '../../../../src/acp/json/indent';
import { exportLines } from '../../../../src/acp/trace/exportLines';
import { Traces } from '../../../../src/acp/trace/traces';
import { InspectorModel } from '../../../../src/application/inspector/inspectorModel';
import { MAX_ROWS, ROWS_PER_MESSAGE, type ToInspectorPage } from '../../../../src/core/inspector/inspectorPage';
import { RowStore } from '../../../../src/core/inspector/rowStore';
import { NO_FILTER } from '../../../../src/core/inspector/filterRows';
import { addBusyAgent, inspectedTraces, readSchema, SECRET } from '../../../support/inspectedAgents';
import { FakeClock } from '../../acp/support';
import { englishVerbatim } from '../english';

function stage(traces: Traces, copied: string[] = []) {
  const clock = new FakeClock();
  const sent: ToInspectorPage[] = [];
  const model = new InspectorModel({
    traces,
    clock,
    t: englishVerbatim,
    language: 'en-GB',
    active: () => undefined,
    schema: (version) => Promise.resolve(readSchema(version)),
    send: (message) => sent.push(message),
    replay: () => undefined,
    export: () => undefined,
    copy: async (text) => void copied.push(text),
  });
  const of = <T extends ToInspectorPage['type']>(type: T) =>
    sent.filter((message): message is Extract<ToInspectorPage, { type: T }> => message.type === type);
  /** Lets the page draw everything that is there. */
  const drain = async (): Promise<void> => {
    for (let round = 0; round < 200 && clock.running > 0; round++) {
      clock.advance(200);
      await model.receive({ type: 'drawn' });
    }
  };
  return { clock, sent, model, of, drain, rows: () => of('rows').flatMap(({ rows }) => rows) };
}

describe('the inspector of messages', () => {
  it('pairs requests with their answers on each connection, although their ids are equal', async () => {
    const { model, drain, rows } = stage(inspectedTraces());
    await model.receive({ type: 'ready' });
    await drain();
    const all = rows();
    const initialize = all.filter(({ kind, method = '' }) => kind === 'request' && method.endsWith('initialize'));
    assert.deepEqual(
      initialize.map(({ hop, method }) => [hop, method]),
      [
        [undefined, 'initialize'],
        [0, 'proxy/initialize'],
        [0, 'proxy/successor initialize'],
        [1, 'proxy/initialize'],
        [1, 'proxy/successor initialize'],
        [2, 'initialize'],
      ],
    );
    for (const { hop, id } of initialize.filter(({ method }) => !method?.startsWith('proxy/successor'))) {
      const [answer] = all.filter(({ request }) => request === id);
      assert.deepEqual([answer?.hop, answer?.kind], [hop, 'answer']);
    }
    assert.ok(!JSON.stringify(all).includes(SECRET));
    assert.deepEqual([...new Set(all.flatMap(({ sessionId }) => sessionId ?? []))], ['s-1']);
  });

  it('sends portions, and no more before the page has drawn them', async () => {
    const traces = new Traces(new FakeClock());
    addBusyAgent(traces, 1000);
    const { model, clock, of, drain, rows } = stage(traces);
    await model.receive({ type: 'ready' });
    clock.advance(0);
    clock.advance(1000);
    clock.advance(1000);
    assert.equal(rows().length, ROWS_PER_MESSAGE);
    await drain();
    assert.equal(rows().length, 1000);
    assert.ok(of('rows').every((message) => message.rows.length <= ROWS_PER_MESSAGE));
    const timers = clock.running;
    assert.equal(timers, 0, 'an agent that is quiet costs nothing');
  });

  it('stops when the page is hidden, and begins again when it is back', async () => {
    const traces = new Traces(new FakeClock());
    const agent = addBusyAgent(traces, 3);
    const { model, clock, drain, sent, rows } = stage(traces);
    await model.receive({ type: 'ready' });
    await drain();
    model.hide();
    assert.equal(agent.trace.isFollowed, false);
    const before = sent.length;
    agent.trace.received('{"jsonrpc":"2.0","method":"x"}');
    clock.advance(10_000);
    assert.equal(sent.length, before);
    await model.receive({ type: 'ready' });
    await drain();
    assert.equal(rows().length, 3 + 4);
    model.dispose();
    assert.equal(agent.trace.isFollowed, false);
  });

  it('marks the lines that are wrong', async () => {
    const { model, drain, rows, of } = stage(inspectedTraces());
    await model.receive({ type: 'ready' });
    await drain();
    const wrong = rows().find(({ about }) => about === 'tool_call')!;
    await model.receive({ type: 'open', id: wrong.id });
    const [frame] = of('frame');
    const lines = frame!.text.split('\n');
    assert.deepEqual(
      frame!.marks.map(({ line, isHint = false }) => [lines[line]?.trim(), isHint]),
      [
        ['"toolCallId": 7,', false],
        ['"status": "sleeping",', false],
        ['"shade": "green"', true],
      ],
    );
    assert.equal(frame!.verdict, '2 differences from the schema of version 1.');
    await model.receive({ type: 'open', id: 999_999 });
    assert.equal(of('frame').at(-1)?.verdict, 'This message is no longer kept.');
  });

  it('shows secrets nowhere, and compares what was sent', async () => {
    const { model, drain, rows, of } = stage(inspectedTraces());
    await model.receive({ type: 'ready' });
    await drain();
    for (const { id } of rows()) {
      await model.receive({ type: 'open', id });
    }
    assert.equal(of('frame').length, rows().length);
    assert.ok(!JSON.stringify(of('frame')).includes(SECRET));
    await model.receive({ type: 'search', query: SECRET });
    assert.deepEqual(of('matches').at(-1)?.ids, []);
    await model.receive({ type: 'search', query: 'PLEASE' });
    assert.ok(of('matches').at(-1)!.ids.length > 3);
  });
});

describe('the inspector of hostile messages', () => {
  const TYPED = 'typed-by-the-user';
  const stageHostile = () => {
    const traces = new Traces({ now: () => 0 });
    const secrets = (): readonly string[] => [SECRET];
    const { trace, hops } = traces.add({ agentId: 'a', agentName: 'A', cwd: '/', secrets, hops: ['proxy', 'A'] });
    const json = (message: object): string => JSON.stringify({ jsonrpc: '2.0', ...message });
    trace.received(json({ id: 9, method: `x/${SECRET}`, params: { sessionId: SECRET } }));
    trace.received(json({ method: 'session/update', params: { sessionId: 's', update: { sessionUpdate: SECRET, [SECRET]: 1 } } }));
    // A proxy passes the user's answer on.
    const answer = json({ id: 1, result: { action: 'accept', content: { place: TYPED } } });
    hops.forEach((hop) => [hop.sent(answer), hop.received(answer)]);
    const copied: string[] = [];
    return { traces, copied, agent: traces.all[0]!, ...stage(traces, copied) };
  };

  it('shows, finds, copies and exports neither secrets in names nor answers that a proxy passes on', async () => {
    const { model, drain, rows, of, sent, copied, agent } = stageHostile();
    await model.receive({ type: 'ready' });
    await drain();
    assert.equal(rows().length, 6);
    for (const { id } of rows()) {
      await model.receive({ type: 'open', id });
      await model.receive({ type: 'copy', id });
    }
    for (const query of [SECRET, TYPED]) {
      await model.receive({ type: 'search', query });
      assert.deepEqual(of('matches').at(-1)?.ids, [], query);
    }
    const told = JSON.stringify([sent.filter(({ type }) => type !== 'matches'), copied, [...exportLines(agent, '1')]]);
    assert.equal(copied.length, 6);
    assert.deepEqual([told.includes(SECRET), told.includes(TYPED)], [false, false]);
    assert.ok(told.includes('accept'));
  });
});

describe('the rows of a page', () => {
  it('are limited, and say how many are missing', () => {
    const store = new RowStore(100);
    const row = (id: number) => ({ id, at: 0, kind: 'notification' as const, isSent: false, bytes: 1, text: '', method: `m${id}` });
    store.add(
      Array.from({ length: 150 }, (_, id) => row(id)),
      7,
    );
    assert.deepEqual([store.all.length, store.dropped, store.all[0]?.id], [100, 57, 50]);
    assert.equal(store.visible({ ...NO_FILTER, method: 'm120' }).length, 1);
    assert.ok(MAX_ROWS >= 4000 + 2000, 'the rings of a chain fit');
    store.reset();
    assert.deepEqual([store.all.length, store.dropped, store.methods.length], [0, 0, 0]);
  });
});

describe('indented JSON', () => {
  it('keeps every character of values, and knows their lines', () => {
    const text = '{"a":12345678901234567890,"b":[1.10,{"c":"x\\"y, {"},[],{}],"d":null}';
    const { lines, places } = indentJson(text, 100);
    assert.deepEqual(lines, [
      '{',
      '  "a": 12345678901234567890,',
      '  "b": [',
      '    1.10,',
      '    {',
      '      "c": "x\\"y, {"',
      '    },',
      '    [],',
      '    {}',
      '  ],',
      '  "d": null',
      '}',
    ]);
    assert.deepEqual([places.get('a'), places.get('b[1].c'), places.get('b[3]'), places.get('d')], [1, 5, 8, 10]);
  });

  it('reads broken and deep texts to a limit', () => {
    assert.deepEqual(indentJson('{"a":"not closed', 10).lines, ['{', '  "a": "not closed']);
    assert.deepEqual(indentJson('}}]', 10).lines.length > 0, true);
    assert.ok(indentJson('['.repeat(100_000), 500).lines.length <= 501);
    assert.ok(indentJson(`[${'1,'.repeat(100_000)}1]`, 500).lines.length <= 501);
  });
});
