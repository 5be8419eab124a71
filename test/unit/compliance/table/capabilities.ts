/** What both sides say they can do. */
import type { Area } from '../area';
import { no, V1 } from '../area';

export const CAPABILITIES: readonly Area[] = [
  {
    area: 'ClientCapabilities', label: 'the client capability', section: 'Capabilities', title: 'What we say we can do',
    intro: 'Advertised by `initialize`. Nothing is advertised that no part of the interface stands behind.',
    sent: 'advertised', handled: no(), shown: no(),
    tests: [`${V1}says what it can do and who it is`],
    rows: [
      { name: 'fs' },
      { name: 'fs.readTextFile', shown: 'see `fs/read_text_file`' },
      { name: 'fs.writeTextFile', shown: 'see `fs/write_text_file`' },
      { name: 'terminal', shown: 'see `terminal/create`' },
      { name: 'session' },
      { name: 'session.compaction', shown: 'see `compaction_update`' },
      { name: 'session.configOptions' },
      { name: 'session.configOptions.boolean', shown: 'see [Types of session options](#types-of-session-options)' },
      { name: 'session.notices', shown: 'see `notice`' },
      { name: 'auth' },
      { name: 'auth.terminal', shown: 'see [Ways to sign in](#ways-to-sign-in)' },
      { name: 'elicitation' },
      { name: 'elicitation.form', shown: 'see [Fields of a form](#fields-of-a-form)' },
      { name: 'elicitation.url', shown: 'see [Modes](#modes)' },
    ],
  },
  {
    area: 'AgentCapabilities', label: 'the agent capability', section: 'Capabilities', title: 'What agents say they can do',
    intro: '"Handled" is what we do because of it; without it we do not.',
    sent: no(), handled: '', shown: no(),
    tests: [`${V1}knows the agent, what prompts may hold, and how one can sign in`],
    rows: [
      { name: 'loadSession', handled: '`session/load`' },
      { name: 'promptCapabilities' },
      { name: 'promptCapabilities.image', handled: 'images in prompts', tests: ['unit/core/promptContent.test.ts: names what cannot be taken in any form'] },
      { name: 'promptCapabilities.audio', handled: 'audio in prompts', tests: ['unit/core/promptContent.test.ts: names what cannot be taken in any form'] },
      {
        name: 'promptCapabilities.embeddedContext', handled: 'embedded resources in prompts; text in their place without it',
        tests: ['unit/core/promptContent.test.ts: makes text of embedded text where resources are not taken, in a fence the text cannot end'],
      },
      { name: 'mcpCapabilities', handled: no('we pass no servers') },
      { name: 'mcpCapabilities.http', handled: no('we pass no servers') },
      { name: 'mcpCapabilities.sse', handled: no('we pass no servers') },
      { name: 'sessionCapabilities' },
      { name: 'sessionCapabilities.list', handled: '`session/list`' },
      { name: 'sessionCapabilities.delete', handled: '`session/delete`' },
      { name: 'sessionCapabilities.additionalDirectories', handled: 'further folders of the session', tests: [`${V1}opens a session with directories only where the agent takes them`] },
      { name: 'sessionCapabilities.resume', handled: '`session/resume`' },
      { name: 'sessionCapabilities.close', handled: '`session/close`', tests: [`${V1}closes sessions where the agent can`] },
      { name: 'auth' },
      { name: 'auth.logout', handled: '`logout`' },
    ],
  },
];
