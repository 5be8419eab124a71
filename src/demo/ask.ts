/** Asks the user for more than a yes or no: a form with every kind of field, then a web page. */
import { methods } from '@agentclientprotocol/sdk';
import type { CreateElicitationResponse, ElicitationContentValue, ElicitationSchema } from '@agentclientprotocol/sdk';
import { randomUUID } from 'node:crypto';
import type { ScriptedGuide } from './steps';

const PAGE = 'https://agentclientprotocol.com/protocol/v1/elicitation';

const SCHEMA: ElicitationSchema = {
  type: 'object',
  title: 'A new project',
  description: 'Nothing is created. I only repeat your answers.',
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
    return turn.say("This client doesn't support forms or web pages (`elicitation`), so I can't ask you anything. ");
  }
  if (tools.canAsk) {
    await turn.explain('Please fill in a form. You can also decline it, or close it without answering.\n\n');
    await sayForm(guide, await elicit(guide, { mode: 'form', message: 'What should the new project be like?', requestedSchema: SCHEMA }));
  }
  if (tools.canOpenPages) {
    await turn.explain('\n\nNext, a web page. It opens in your browser, and only if you agree.\n\n');
    await page(guide);
  }
}

/** Reports the answer to the user. */
async function sayForm({ turn }: ScriptedGuide, response: CreateElicitationResponse): Promise<void> {
  if (response.action !== 'accept') {
    return turn.say(response.action === 'decline' ? 'You declined the form. ' : 'You closed the form without answering. ');
  }
  const content = (response as { content?: Record<string, ElicitationContentValue> | null }).content ?? {};
  const lines = Object.entries(content).map(
    ([name, value]) => `- ${SCHEMA.properties?.[name]?.title ?? name}: \`${String(value).replaceAll('`', '’')}\``,
  );
  return turn.say(lines.length > 0 ? `You answered:\n\n${lines.join('\n')}\n` : 'You submitted an empty form. ');
}

async function page(guide: ScriptedGuide): Promise<void> {
  const { turn } = guide;
  const elicitationId = randomUUID();
  const { action } = await elicit(guide, {
    mode: 'url',
    message: 'Open the protocol documentation on questions like these?',
    elicitationId,
    url: PAGE,
  });
  if (action !== 'accept') {
    return turn.say('Nothing was opened. ');
  }
  await turn.say('You accepted. A real agent would now wait for the page to report back. I just wait two seconds. ');
  await turn.pause(2000);
  await turn.client.notify(methods.client.elicitation.complete, { elicitationId });
  await turn.say('Done. ');
}

type Asked =
  | { mode: 'form'; message: string; requestedSchema: ElicitationSchema }
  | { mode: 'url'; message: string; elicitationId: string; url: string };

function elicit({ turn }: ScriptedGuide, asked: Asked): Promise<CreateElicitationResponse> {
  return turn.wait(turn.client.request(methods.client.elicitation.create, { sessionId: turn.sessionId, ...asked }));
}
