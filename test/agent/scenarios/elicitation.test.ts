/** Forms and web pages that an agent asks for. The events of each scenario are in test/golden/scenarios/elicitation/. */
import { scenarios } from './suite';

const NAME = {
  type: 'object',
  title: 'Setup',
  properties: { name: { type: 'string', title: 'Name', minLength: 2, pattern: '^[a-z]+$' } },
  required: ['name'],
};
const FORM = { mode: 'form', message: 'What is it called?', requestedSchema: NAME };
const PAGE = { mode: 'url', message: 'Please authorize.', elicitationId: 'auth-1', url: 'https://agent.example.com/connect?id=auth-1' };
const METHOD = { initialize: { authMethods: [{ id: 'login', name: 'Log in' }] } };

scenarios('elicitation', (scenario) => {
  scenario('form', {}, async (stage) => {
    await stage.ready();
    const properties = {
      ...NAME.properties,
      port: { type: 'integer', minimum: 1024, default: 3000 },
      ratio: { type: 'number' },
      log: { type: 'boolean', default: true },
      how: {
        type: 'string',
        oneOf: [
          { const: 'x', title: 'Carefully' },
          { const: 'y', title: 'Fast' },
        ],
      },
      targets: { type: 'array', items: { type: 'string', enum: ['a', 'b'] }, maxItems: 1 },
    };
    stage.script(
      { tool: { toolCallId: 'setup', title: 'Set up' } },
      { elicit: { ...FORM, toolCallId: 'setup', requestedSchema: { ...NAME, properties } } },
    );
    await stage.seen('elicitation_requested');
    await stage.answerElicitation('accept', { port: 80, ratio: 'half', log: 'yes', how: 'z', targets: ['a', 'b'], other: 1 });
    await stage.answerElicitation('accept', { name: 'A' });
    await stage.answerElicitation('accept', { name: 'Greeter' });
    await stage.answerElicitation('accept', { name: 'greeter', port: 8080, ratio: 0.5, log: false, how: 'y', targets: ['b'], other: 1 });
    await stage.turnEnd();
  });

  scenario('form-declined-and-dismissed', {}, async (stage) => {
    await stage.ready();
    stage.script({ elicit: FORM }, { elicit: FORM });
    await stage.seen('elicitation_requested');
    await stage.answerElicitation('decline', { name: 'typed' });
    await stage.when('the second form', () => stage.session.store.state.pendingElicitations.length > 0);
    await stage.answerElicitation('cancel');
    await stage.turnEnd();
  });

  // A pattern that backtracks for longer than the timeout, and an invalid one: each is reported once, then the value is sent as it is.
  scenario('form-with-patterns-that-cannot-be-tried', {}, async (stage) => {
    const properties = { slow: { type: 'string', pattern: '^(a+)+$' }, broken: { type: 'string', pattern: '(?<' } };
    await stage.ready();
    stage.script({ elicit: { ...FORM, requestedSchema: { properties } } });
    await stage.seen('elicitation_requested');
    const content = { slow: `${'a'.repeat(40)}!`, broken: 'x' };
    await stage.answerElicitation('accept', content);
    await stage.answerElicitation('accept', content);
    await stage.turnEnd();
  });

  scenario('page', {}, async (stage) => {
    await stage.ready();
    stage.script({ completed: 'nobody' }, { elicit: PAGE }, { completed: 'auth-1' }, { completed: 'auth-1' });
    await stage.seen('elicitation_requested');
    await stage.answerElicitation('accept');
    await stage.turnEnd();
  });

  scenario('page-finished-before-the-answer', {}, async (stage) => {
    await stage.turn({ together: [{ elicit: PAGE }, { completed: 'auth-1' }] });
  });

  scenario('page-declined', {}, async (stage) => {
    await stage.ready();
    stage.script({ elicit: PAGE }, { completed: 'auth-1' });
    await stage.seen('elicitation_requested');
    await stage.answerElicitation('decline');
    await stage.turnEnd();
  });

  // A request that could not be shown as intended is refused, and the refusal is shown.
  scenario('refused', {}, async (stage) => {
    await stage.turn(
      { elicit: { ...FORM, mode: '_voice' } },
      { elicit: { ...FORM, requestedSchema: { properties: { colour: { type: '_colour' } } } } },
      { elicit: { ...FORM, requestedSchema: { properties: { many: { type: 'array', items: { type: '_point', enum: ['a'] } } } } } },
      { elicit: { ...PAGE, url: 'javascript:alert(1)' } },
      { elicit: { ...FORM, sessionId: null, requestId: 4711 } },
      { elicit: { ...FORM, requestId: 4711 } },
    );
  });

  scenario('withdrawn', {}, async (stage) => {
    await stage.ready();
    stage.script(
      { raw: { jsonrpc: '2.0', id: 'mine', method: 'elicitation/create', params: { sessionId: 'session-1', ...FORM } } },
      { raw: { jsonrpc: '2.0', method: '$/cancel_request', params: { requestId: 'mine' } } },
      { say: 'taken back' },
    );
    await stage.turnEnd();
  });

  scenario('cancelled-with-the-turn', {}, async (stage) => {
    await stage.ready();
    stage.script({ elicit: FORM });
    await stage.seen('elicitation_requested');
    stage.cancel();
    await stage.turnEnd();
  });

  scenario('lost-with-the-agent', {}, async (stage) => {
    await stage.ready();
    stage.script({ together: [{ elicit: FORM }, { elicit: PAGE }, { repeat: { times: 1, steps: [{ sleep: 300 }, { exit: 7 }] } }] });
    await stage.seen('disconnected');
  });

  // Elicitations for one of our requests: before there is a session, while it is opened, and while the request is pending.
  scenario(
    'while-signing-in',
    {
      setup: {
        ...METHOD,
        authenticate: [{ elicit: { ...PAGE, because: 'request' } }, { completed: 'auth-1' }, { elicit: { ...FORM, because: 'request' } }],
      },
    },
    async (stage) => {
      await stage.seen('sign_in');
      stage.session.signIn('login');
      await stage.seen('elicitation_requested');
      await stage.answerElicitation('accept');
      await stage.when('the form', () => stage.session.store.state.pendingElicitations.length > 0);
      await stage.answerElicitation('accept', { name: 'ada' });
      await stage.ready();
    },
  );

  scenario(
    'while-opening',
    { setup: { beforeNew: [{ elicit: { ...FORM, because: 'request' } }, { elicit: { ...FORM, because: 'request', mode: '_voice' } }] } },
    async (stage) => {
      await stage.seen('elicitation_requested');
      await stage.answerElicitation('accept', { name: 'workspace' });
      await stage.ready();
      await stage.seen('message_chunk');
    },
  );

  scenario(
    'left-open-by-its-request',
    {
      setup: {
        beforeNew: [{ raw: { jsonrpc: '2.0', id: 'early', method: 'elicitation/create', params: { requestId: 2, ...FORM } } }],
        afterNew: [{ elicit: { ...FORM, sessionId: null, requestId: 2 } }],
      },
    },
    async (stage) => {
      await stage.ready();
      await stage.seen('message_chunk');
    },
  );
});
