/** Asking the user for more than a yes or no: a form with every kind of field, then a web page. */
import { methods } from '@agentclientprotocol/sdk';
import type { CreateElicitationResponse, ElicitationContentValue, ElicitationSchema } from '@agentclientprotocol/sdk';
import { randomUUID } from 'node:crypto';
import type { ScriptedGuide } from './steps';

const PAGE = 'https://agentclientprotocol.com/protocol/v1/elicitation';

const SCHEMA: ElicitationSchema = {
  type: 'object',
  title: 'A new project',
  description: 'Nothing is created: I only tell you what you answered.',
  properties: {
    name: {
      type: 'string',
      title: 'Project name',
      description: 'Lower-case letters and dashes',
      minLength: 2,
      maxLength: 40,
      pattern: '^[a-z][a-z-]*$',
      default: 'my-project',
    },
    about: { type: 'string', title: 'What is it about?' },
    contact: { type: 'string', title: 'E-mail', format: 'email' },
    start: { type: 'string', title: 'Start', format: 'date' },
    people: { type: 'integer', title: 'People', minimum: 1, maximum: 99, default: 1 },
    style: {
      type: 'string',
      title: 'Style',
      oneOf: [
        { const: 'small', title: 'Small steps', description: 'One change at a time' },
        { const: 'large', title: 'Large steps', description: 'All at once, then a review' },
      ],
      default: 'small',
    },
    targets: {
      type: 'array',
      title: 'Runs on',
      items: { type: 'string', enum: ['Linux', 'macOS', 'Windows'] },
      minItems: 1,
      default: ['Linux'],
    },
    tests: { type: 'boolean', title: 'With tests', default: true },
  },
  required: ['name', 'people', 'targets'],
};

export async function askStep(guide: ScriptedGuide): Promise<void> {
  const { turn, tools } = guide;
  if (!tools.canAsk && !tools.canOpenPages) {
    return turn.say('This client offers neither forms nor web pages (`elicitation`), so I cannot ask you anything. ');
  }
  if (tools.canAsk) {
    await turn.explain('I ask you to fill in a form. You can also decline it, or close it without an answer.\n\n');
    await tellForm(guide, await elicit(guide, { mode: 'form', message: 'What should the new project be like?', requestedSchema: SCHEMA }));
  }
  if (tools.canOpenPages) {
    await turn.explain('\n\nNow a web page: it opens in your browser, outside of the editor, and only if you want it to.\n\n');
    await page(guide);
  }
}

/** For people: what came back. */
async function tellForm({ turn }: ScriptedGuide, response: CreateElicitationResponse): Promise<void> {
  if (response.action !== 'accept') {
    return turn.say(
      response.action === 'decline' ? 'You declined, so I know nothing. ' : 'You closed the form without an answer, so I know nothing. ',
    );
  }
  const content = (response as { content?: Record<string, ElicitationContentValue> | null }).content ?? {};
  const lines = Object.entries(content).map(
    ([name, value]) => `- ${SCHEMA.properties?.[name]?.title ?? name}: \`${String(value).replaceAll('`', '’')}\``,
  );
  return turn.say(lines.length > 0 ? `You answered:\n\n${lines.join('\n')}\n` : 'You sent the form empty. ');
}

async function page(guide: ScriptedGuide): Promise<void> {
  const { turn } = guide;
  const elicitationId = randomUUID();
  const { action } = await elicit(guide, {
    mode: 'url',
    message: 'May I show you what the protocol says about such questions?',
    elicitationId,
    url: PAGE,
  });
  if (action !== 'accept') {
    return turn.say('Then not: nothing was opened. ');
  }
  await turn.say('You agreed to open it. A real agent would now hear from the page when you are done; I just count to two. ');
  await turn.pause(2000);
  await turn.client.notify(methods.client.elicitation.complete, { elicitationId });
  await turn.say('Done: the card says so, too. ');
}

type Asked =
  | { mode: 'form'; message: string; requestedSchema: ElicitationSchema }
  | { mode: 'url'; message: string; elicitationId: string; url: string };

function elicit({ turn }: ScriptedGuide, asked: Asked): Promise<CreateElicitationResponse> {
  return turn.wait(turn.client.request(methods.client.elicitation.create, { sessionId: turn.sessionId, ...asked }));
}
