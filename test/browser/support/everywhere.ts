/** One text in every part of the page that an agent's text can reach. */
import type { ContentBlock } from '../../../src/core/model/content';
import type { EventInput } from '../../../src/core/model/event';
import { permissionRequest } from '../../support/events';

/** A session whose agent, options and commands have this text as names. */
export function session(text: string): EventInput[] {
  return [
    { type: 'session_opened', agentName: text, cwd: `/home/${text}`, additionalDirectories: [`/more/${text}`] },
    {
      type: 'agent_initialized',
      protocolVersion: 1,
      agent: { name: text, title: text, version: text },
      promptCapabilities: { image: true, audio: true, embeddedContext: true },
      authMethods: [
        { methodId: text, name: text, description: text, type: 'agent' },
        {
          methodId: `${text}2`,
          name: text,
          type: 'env_var',
          link: text,
          vars: [{ name: text, label: text, secret: true, optional: true }],
        },
        { methodId: `${text}3`, name: text, type: 'terminal', args: [text] },
      ],
    },
    {
      type: 'config_options',
      options: [
        {
          type: 'select',
          configId: text,
          name: text,
          description: text,
          category: text,
          currentValue: text,
          groups: [{ name: text, choices: [{ value: text, name: text, description: text }] }],
        },
        { type: 'boolean', configId: `${text}2`, name: text, description: text, currentValue: true },
        { type: 'unknown', configId: `${text}3`, name: text, raw: { [text]: text } },
      ],
    },
    { type: 'available_commands', commands: [{ name: text, description: text, inputHint: text }] },
    { type: 'session_ready', sessionId: text },
    { type: 'session_info', title: text },
    { type: 'change_report', files: [{ path: `/home/${text}`, undone: 1 }] },
    { type: 'pending_changes', changes: { files: [{ path: `/home/${text}`, operation: text, added: 1 }], added: 1, removed: 0 } },
    { type: 'running_changes', files: [{ path: `/home/running/${text}`, operation: text }] },
    { type: 'usage', usage: { used: 1, size: 2, cost: { amount: 1, currency: text } } },
  ];
}

/** Entries of every kind that contain the text, and the plans. */
export function entries(text: string): EventInput[] {
  const choices = [{ value: text, title: text, description: text }];
  const blocks = contents(text);
  return [
    { type: 'turn_started', turnId: 't' },
    { type: 'message', role: 'user', messageId: 'u', content: blocks },
    { type: 'message_chunk', role: 'thought', messageId: 'h', content: { type: 'text', text } },
    // The text comes in two chunks, so that the incomplete one is checked too.
    { type: 'message_chunk', role: 'agent', messageId: 'a', content: { type: 'text', text: text.slice(0, text.length / 2) } },
    { type: 'message_chunk', role: 'agent', messageId: 'a', content: { type: 'text', text: text.slice(text.length / 2) } },
    { type: 'message', role: 'agent', messageId: 'b', content: blocks },
    {
      type: 'terminal_update',
      terminalId: 'term',
      ours: true,
      shell: true,
      command: text,
      cwd: text,
      output: text,
      exitStatus: { signal: text },
    },
    {
      type: 'tool_call_update',
      toolCallId: 'c',
      patch: {
        title: text,
        name: text,
        kind: text,
        status: 'failed',
        content: [
          ...blocks.map((content) => ({ type: 'content', content }) as const),
          { type: 'diff', changes: [{ operation: text, path: text, oldPath: text, oldText: 'a', newText: text }], patch: text },
          { type: 'terminal', terminalId: 'term' },
          { type: 'unknown', raw: { [text]: text } },
        ],
        locations: [{ path: text, line: 1 }],
        rawInput: { [text]: [text] },
        rawOutput: text,
      },
    },
    { type: 'tool_call_update', toolCallId: 'd', patch: { title: text, kind: 'read', status: text, rawOutput: { error: text } } },
    {
      type: 'permission_requested',
      permissionId: 'p',
      title: text,
      description: text,
      options: [{ optionId: text, name: text, kind: text }],
      subject: { command: text, cwd: text, content: [{ type: 'content', content: { type: 'text', text } }] },
    },
    permissionRequest('q', text, { options: [{ optionId: text, name: text, kind: 'allow_once' }] }),
    { type: 'permission_resolved', permissionId: 'q', outcome: 'selected', optionId: text },
    {
      type: 'elicitation_requested',
      requestKey: 'f',
      message: text,
      body: {
        mode: 'form',
        title: text,
        description: text,
        fields: [
          { name: text, title: text, description: text, required: true, type: 'string', pattern: text, format: text, defaultValue: text },
          { name: `${text}2`, title: text, required: false, type: 'choice', choices, defaultValue: text },
          { name: `${text}3`, title: text, required: false, type: 'choices', choices, defaultValue: [text] },
          { name: `${text}4`, description: text, required: false, type: 'boolean' },
        ],
      },
    },
    { type: 'elicitation_requested', requestKey: 'g', message: text, body: { mode: 'url', elicitationId: text, url: text } },
    {
      type: 'notice',
      noticeId: 'n',
      severity: text,
      title: text,
      description: text,
      failure: { code: 'request.failed', params: { method: text }, detail: text },
    },
    { type: 'compaction_update', compactionId: 'k', status: text, summary: [{ type: 'text', text }], error: text },
    { type: 'plan_update', planId: text, plan: { type: 'items', entries: [{ content: text, priority: text, status: text }] } },
    { type: 'plan_update', planId: 'm', plan: { type: 'markdown', content: text } },
    { type: 'plan_update', planId: 'e', plan: { type: 'file', uri: text } },
    { type: 'plan_update', planId: 'o', plan: { type: 'unknown', raw: { [text]: text } } },
    { type: 'turn_ended', turnId: 't', stopReason: text, failure: { code: 'turn.failed', detail: text } },
    { type: 'unknown', unknownId: 'x', label: text, raw: { [text]: text } },
  ];
}

/** The states that show another element above the composer. */
export function banners(text: string): EventInput[][] {
  return [
    [{ type: 'sign_in', status: 'required', failure: { code: 'auth.required', detail: text } }],
    [
      { type: 'sign_in', status: 'dismissed' },
      { type: 'disconnected', failure: { code: 'agent.exited', params: { command: text, signal: text }, detail: text } },
    ],
  ];
}

function contents(text: string): ContentBlock[] {
  return [
    { type: 'text', text },
    { type: 'image', data: text, mimeType: text, uri: text },
    { type: 'image', data: text, mimeType: 'image/png' },
    { type: 'image', data: btoa(`<svg xmlns="http://www.w3.org/2000/svg" onload="window.hacked=1"/>`), mimeType: 'image/svg+xml' },
    { type: 'audio', data: text, mimeType: text },
    { type: 'resource_link', uri: text, name: text, title: text, description: text, mimeType: text },
    { type: 'resource', uri: text, mimeType: text, text },
    { type: 'resource', uri: text, mimeType: 'image/png', blob: text },
    { type: 'unknown', raw: { type: text, [text]: text } },
  ];
}
