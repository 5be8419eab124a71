/** Elicitations in every state, for the gallery. */
import type { ElicitationField } from '../../src/core/elicitation/elicitation';
import type { EventInput } from '../../src/core/model/event';

const EVERY_FIELD: readonly ElicitationField[] = [
  {
    name: 'name',
    title: 'Project name',
    description: 'Also the name of the folder.',
    type: 'string',
    required: true,
    minLength: 3,
    maxLength: 40,
    pattern: '^[a-z-]+$',
    defaultValue: 'greeter',
  },
  { name: 'about', title: 'What is it about?', type: 'string', required: false },
  { name: 'mail', title: 'Maintainer’s e-mail', type: 'string', required: false, format: 'email' },
  { name: 'released', title: 'Release date', type: 'string', required: false, format: 'date', defaultValue: '2026-01-31' },
  { name: 'port', title: 'Port', type: 'integer', required: true, minimum: 1024, maximum: 65535, defaultValue: 3000 },
  { name: 'logging', title: 'Write a log', description: 'To the folder logs.', type: 'boolean', required: false, defaultValue: true },
  {
    name: 'strategy',
    title: 'Strategy',
    type: 'choice',
    required: false,
    choices: [
      { value: 'conservative', title: 'Conservative', description: 'Changes as little as possible.' },
      { value: 'balanced', title: 'Balanced (recommended)' },
      { value: 'aggressive', title: 'Aggressive', description: 'Rewrites whatever is in the way.' },
    ],
    defaultValue: 'balanced',
  },
  {
    name: 'licence',
    title: 'Licence',
    type: 'choice',
    required: true,
    choices: ['MIT', 'Apache-2.0', 'BSD-3-Clause', 'ISC', 'MPL-2.0', 'GPL-3.0', 'Unlicense'].map((value) => ({ value, title: value })),
  },
  {
    name: 'targets',
    title: 'Targets',
    type: 'choices',
    required: true,
    minItems: 1,
    maxItems: 2,
    choices: ['Linux', 'macOS', 'Windows'].map((value) => ({ value, title: value })),
    defaultValue: ['Linux'],
  },
];

export function elicitations(): EventInput[] {
  const page = (elicitationId: string, url: string) => ({ mode: 'url', elicitationId, url }) as const;
  return [
    {
      type: 'elicitation_requested',
      requestKey: 'form',
      message: 'Please provide the configuration\nIt is written to greeter.json.',
      body: { mode: 'form', title: 'Configuration', description: 'All of it can be changed later.', fields: EVERY_FIELD },
    },
    {
      type: 'elicitation_requested',
      requestKey: 'page',
      message: 'Please authorize access to your repositories.',
      body: page(
        'p1',
        'https://github.com/login/oauth/authorize?client_id=0123456789abcdef&redirect_uri=https%3A%2F%2Fagent.example.com%2Fconnect&scope=repo%20read%3Auser&state=eyJzZXNzaW9uIjoiMTIzNDU2Nzg5MCIsIm5vbmNlIjoiYWJjZGVmZ2hpamtsbW5vcHFyc3R1dnd4eXoifQ',
      ),
    },
    {
      type: 'elicitation_requested',
      requestKey: 'trap',
      message: 'Please sign in again.',
      body: page('p2', 'http://github.com@xn--gthub-n2e.com/login'),
    },
    {
      type: 'elicitation_requested',
      requestKey: 'opened',
      message: 'Connect your calendar',
      body: page('p3', 'https://calendar.example.com/connect'),
    },
    { type: 'elicitation_resolved', requestKey: 'opened', outcome: 'accepted' },
    {
      type: 'elicitation_requested',
      requestKey: 'finished',
      message: 'Connect your mailbox',
      body: page('p4', 'https://mail.example.com/connect'),
    },
    { type: 'elicitation_resolved', requestKey: 'finished', outcome: 'accepted' },
    { type: 'elicitation_completed', requestKey: 'finished' },
    {
      type: 'elicitation_requested',
      requestKey: 'answered',
      message: 'How would you like me to go on?',
      body: { mode: 'form', fields: EVERY_FIELD },
    },
    {
      type: 'elicitation_resolved',
      requestKey: 'answered',
      outcome: 'accepted',
      content: {
        name: 'greeter',
        about: 'Greets people.\nBy name.',
        port: 8080,
        logging: false,
        strategy: 'aggressive',
        targets: ['Linux', 'Windows'],
      },
    },
    ...(['declined', 'cancelled', 'withdrawn', 'lost'] as const).flatMap((outcome): EventInput[] => [
      {
        type: 'elicitation_requested',
        requestKey: outcome,
        message: `Which one shall it be (${outcome})?`,
        body: { mode: 'form', fields: EVERY_FIELD },
      },
      { type: 'elicitation_resolved', requestKey: outcome, outcome },
    ]),
  ];
}
