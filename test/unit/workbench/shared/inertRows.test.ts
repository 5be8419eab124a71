import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import * as fc from 'fast-check';
import ts from 'typescript';
import type { CatalogEntry } from '../../../../src/agent/catalog';
import type { Failure } from '../../../../src/core/model/failure';
import type { PendingPermission } from '../../../../src/session/permission/presenter';
import { EMPTY_STATE, type SessionState, type Slot } from '../../../../src/core/model/state';
import type { LeftFile, PlannedUndo } from '../../../../src/changes/undo/undo';
import { LiveHunks } from '../../../../src/changes/hunks/liveHunks';
import { hunkLinks } from '../../../../src/workbench/changes/review/hunkLinks';
import { sharedMessage, sharedText, unseenText } from '../../../../src/application/changes/text/sharedAuthors';
import { behindDiskLenses, changeLenses } from '../../../../src/workbench/changes/review/changeLenses';
import { removedLines } from '../../../../src/workbench/changes/review/removedLines';
import type { PendingFile } from '../../../../src/workbench/changes/session/pendingFiles';
import { changeText, unknownText } from '../../../../src/application/changes/text/changeText';
import {
  fileEffect,
  fileEffects,
  lostMessage,
  nothingToRestore,
  unrecordedMessage,
  recoveredMessage,
  resultMessage,
} from '../../../../src/application/changes/text/restoreMessages';
import { diffTitle, fileNames } from '../../../../src/application/changes/text/fileNames';
import { leftLines, leftMessage, leftSummary, planLines, undoQuestion } from '../../../../src/application/changes/text/undoMessages';
import { readCommand, readHost, readHostFolder, readName, readVariables } from '../../../../src/application/agents/addAgentRules';
import { agentRows } from '../../../../src/application/agents/agentRows';
import { importAgentRows, leftAgentsText } from '../../../../src/application/agents/import/importRows';
import { workspaceAgentText } from '../../../../src/application/agents/workspaceAgents';
import { presetRows } from '../../../../src/application/presets/presetRows';
import { addressProblem, endpointRows } from '../../../../src/application/endpoints/endpointRows';
import { brokenAgentsNotice, problemReasons, problemsByAgent } from '../../../../src/application/agents/brokenAgents';
import type { StoredRule } from '../../../../src/policy/rules/userRule';
import { consentText, questionsFor } from '../../../../src/application/mcp/consentText';
import { serverRows } from '../../../../src/application/mcp/serverRows';
import type { PlannedServer } from '../../../../src/application/mcp/userServers';
import { modeRows, modesHold } from '../../../../src/application/permission/modeRows';
import { sandboxRows } from '../../../../src/application/sandbox/sandboxRows';
import { brokenRulesNotice } from '../../../../src/application/permission/rules/brokenRules';
import { importRows, leftText } from '../../../../src/application/permission/rules/import/importRows';
import { nodeFailureText } from '../../../../src/application/agents/nodeText';
import { NodeNotInstalled } from '../../../../src/agent/node/nodeNotInstalled';
import { registryReason } from '../../../../src/application/registry/registryText';
import { problemText } from '../../../../src/application/permission/rules/ruleProblems';
import { ruleRows } from '../../../../src/application/permission/rules/ruleRows';
import { ignoredNotice } from '../../../../src/application/agents/ignoredSettings';
import { folderRows } from '../../../../src/application/sessions/folderRows';
import { agentSessionRows } from '../../../../src/application/sessions/agentHistory/agentSessionRows';
import { reasonText } from '../../../../src/application/permission/reasonText';
import { helpText } from '../../../../src/application/export/helpDocument';
import { operationTextOf } from '../../../../src/application/permission/permissionSummary';
import { headingOf, permissionStrings } from '../../../../src/application/permission/permissionText';
import { restartQuestion } from '../../../../src/application/sessions/restartQuestion';
import { accountRows } from '../../../../src/application/agents/accounts';
import { stopQuestion } from '../../../../src/application/agents/stopQuestion';
import { statusBarText } from '../../../../src/application/sessions/overview';
import { journaledRow, sessionRow } from '../../../../src/application/shared/sessionRows';
import { methodRows } from '../../../../src/application/signIn/signInRows';
import { traceRow } from '../../../../src/application/export/traceRows';
import { failureSentence, failureText, shortFailureText } from '../../../../src/application/shared/failureText';
import { actionsIn } from '../../../support/vscodeText';
import { rowStrings, type RowTextFacts } from '../../../../src/application/sessionsView/rowStrings';
import { EntryList } from '../../../../src/core/model/entries';
import { waitingQuestions } from '../../../../src/application/sessionsView/waitingQuestions';
import { hitRow } from '../../../../src/application/sessionsView/searchRun';
import type { TreeNode } from '../../../../src/application/sessionsView/tree';
import { facts as treeFacts, summary } from '../../application/sessionsView/fakes';
import type { TurnEnd } from '../../../../src/workbench/sessions/turnEnds';
import { turnEndText } from '../../../../src/workbench/sessionsView/turnEndText';
import { inertLine } from '../../../../src/application/shared/escape';
import { commentWords } from '../../../../src/application/comments/commentWords';
import { english, englishVerbatim } from '../../application/english';
import { root, HOSTILE, anything, assertInert } from './inertChecks';

/** Every text in `value`, with its path. */
function textsIn(value: unknown, at = ''): [at: string, text: string][] {
  if (typeof value === 'string') {
    return [[at, value]];
  }
  return typeof value === 'object' && value !== null ? Object.entries(value).flatMap(([key, each]) => textsIn(each, `${at}.${key}`)) : [];
}

/** The result for a hostile text by file and function, and the number of the extension's own icons in each of its texts. */
const MAKERS: Record<string, { readonly make: (hostile: string) => unknown; readonly icons?: (at: string) => number }> = {
  'agentRows.agentRows': {
    make: (x) =>
      [{ last: x }, { availability: new Map([[x, 'no_runner'] as const]), installed: new Map([[x, x]]) }].map((options) =>
        agentRows(
          [entry(x, 'user'), entry(x, 'predefined'), entry(x, 'other'), entry(x, 'demo')],
          { ...options, problems: problems(x) },
          english,
        ).map((row) => ({
          ...row,
          entry: undefined,
          agentName: undefined,
        })),
      ),
  },
  'presetRows.presetRows': {
    make: (x) => {
      const preset = { name: x, agent: x, options: { a: x, b: true }, mcpServers: [x], permissionMode: 'acceptEdits' } as const;
      const rows = presetRows([preset, { ...preset, agent: `${x}2`, mcpServers: [] }], [entry(x, 'user')], english, englishVerbatim);
      return rows.map(({ label, description, detail }) => ({ label, description, detail }));
    },
  },
  // The lines of a question keep their line breaks: each is inert alone.
  'workspaceAgents.workspaceAgentText': {
    make: (x) => {
      const raw = { command: x, env: { [x]: x } };
      const launch = { agentId: x, agentName: x, command: x, args: [x], env: { [x]: x } };
      const subject = { sourceId: x, name: x, text: x, raw };
      return workspaceAgentText({ place: x, launch, subject, consent: { type: 'changed', members: [x] } }, english).split('\n');
    },
  },
  'importRows.importAgentRows': {
    make: (x) => {
      const env = { [x]: x, API_KEY: x };
      const source = { client: x, place: x, agents: [{ name: x, entry: { command: x, args: [x], env } }], left: [] };
      const rows = importAgentRows([source], {}, [x], true, english);
      return rows.map(({ label, description, detail }) => ({ label, description, detail }));
    },
  },
  'importRows.leftAgentsText': {
    make: (x) => [leftAgentsText([{ client: x, place: x, agents: [], left: [{ name: x, reason: 'registry' }], problem: x }], english)],
  },
  'endpointRows.endpointRows': {
    make: (x) =>
      endpointRows(
        [{ providerId: x, supported: [x], required: true, current: { apiType: x, baseUrl: `https://${x}` } }],
        [{ providerId: `${x}2`, isOff: true }],
        english,
      ).map(({ label, description, detail }) => ({ label, description, detail })),
  },
  'endpointRows.addressProblem': {
    make: (x) => [x, `ftp://${x}`, 'https://a:b@c'].map((text) => [addressProblem(text, english) ?? 'none']),
  },
  'commentWords.commentWords': { make: (x) => [commentWords(x, english), commentWords(undefined, english)] },
  'addAgentRules.readName': { make: (x) => readName('a', { a: x }, english) },
  'addAgentRules.readCommand': {
    make: (x) => ['&&', x, '/'].map((text) => ['', texted(readCommand(`a ${text} ${x}`, 'linux', english))]).concat([['a']]),
  },
  'addAgentRules.readHost': { make: (x) => [texted(readHost(`-${x}`, english))] },
  'addAgentRules.readHostFolder': { make: (x) => [texted(readHostFolder(`a${x}`, english))] },
  'addAgentRules.readVariables': {
    make: (x) => ['a', texted(readVariables(`A=1 ${x}`, { command: 'a' }, 'linux', english))],
  },
  'brokenAgents.problemReasons': { make: (x) => problemsByAgent(problems(x)).map((each) => problemReasons(each, english)) },
  'brokenAgents.brokenAgentsNotice': { make: (x) => brokenAgentsNotice(problems(x), english)?.text },
  'folderRows.folderRows': {
    make: (x) => folderRows([x, `/w/${x}`], english).map((row) => ('label' in row ? { ...row, folder: '', how: '' } : {})),
    icons: (at) => (at.endsWith('.label') ? 1 : 0),
  },
  'brokenRules.brokenRulesNotice': {
    make: (x) => [true, false].map((areSuspended) => [brokenRulesNotice([hostileRule(x), hostileRule(x)], areSuspended, english)]),
  },
  // The lines of a question keep their line breaks: each is inert alone.
  'consentText.consentText': { make: (x) => consentText(planned(x), english).split('\n') },
  'consentText.questionsFor': { make: (x) => questionsFor([planned(x), planned(x)], english).map(({ text }) => text.split('\n')) },
  'serverRows.serverRows': {
    make: (x) =>
      serverRows(
        { servers: [planned(x), { ...planned(x), reason: 'invalid', detail: x }], broken: [{ source: planned(x).source, problem: x }] },
        x,
        true,
        english,
      ).map(({ label, description, detail }) => ({ label, description, detail })),
  },
  'modeRows.modeRows': { make: (x) => modeRows('ask', englishVerbatim, x).map(({ mode: _, ...row }) => row) },
  'modeRows.modesHold': {
    make: (x) =>
      (['itself', 'asks', 'through'] as const).map((hold) => modesHold({ edits: hold, commands: hold, isVersion2: false }, x, english)),
  },
  'sandboxRows.sandboxRows': { make: (x) => sandboxRows('agent', x, english).map(({ mode: _, ...row }) => row) },
  'ruleRows.ruleRows': {
    make: (x) => {
      const rule = { ...hostileRule(x), from: 'card' as const };
      const denial = { id: 'd', at: 0, sessionId: 's', cwd: x, title: x, rule: x, allow: rule.rule };
      return ruleRows({ rules: [rule], denials: [denial], now: 0, language: 'en' }, english).map(({ label, description, tooltip }) => ({
        label,
        description,
        tooltip,
      }));
    },
  },
  'nodeText.nodeFailureText': {
    make: (x) => [nodeFailureText(new NodeNotInstalled('unreachable', x), english), nodeFailureText(new Error(x), english)],
  },
  'registryText.registryReason': {
    make: (x) => [registryReason({ code: 'registry.refused', params: { reason: 'invalid', field: x } }, english)],
  },
  'ruleProblems.problemText': { make: (x) => [problemText({ code: 'command', detail: x }, english)] },
  'importRows.importRows': {
    make: (x) =>
      importRows(
        [{ name: `a${x}`, rules: [{ rule: { effect: 'deny', command: `a${x}` }, written: `a${x}` }], left: [] }],
        new Set(),
        english,
      ).map(({ label, description, detail }) => ({ label, description, detail })),
  },
  'importRows.leftText': {
    make: (x) =>
      leftText([{ name: 'settings', rules: [], left: [{ written: x, reason: 'pattern' }] }], english)
        .split('\n')
        .filter(Boolean)
        .map((line) => [line]),
  },
  'ignoredSettings.ignoredNotice': {
    make: (x) =>
      ignoredNotice(
        [
          { setting: x, source: 'workspace' },
          { setting: x, source: 'workspaceFolder', folder: x },
          { setting: x, source: 'extensionDefault', folder: x },
        ],
        english,
      ),
  },
  'agentSessionRows.agentSessionRows': {
    make: (x) => {
      const listed = { sessionId: x, title: x, cwd: `/w/${x}`, updatedAt: x, additionalDirectories: [x, `/a/${x}`, x, x, x] };
      const facts = { folders: [`/w/${x}`], open: new Set([x]), now: 0, language: 'en' };
      const { here, elsewhere } = agentSessionRows(
        [listed, { ...listed, title: '', cwd: x, updatedAt: '2020-01-01T00:00:00Z' }],
        facts,
        english,
      );
      return [...here, ...elsewhere].map(({ label, description, detail }) => ({ label, description, detail }));
    },
  },
  'sessionRows.sessionRow': {
    make: (x) =>
      (['starting', 'ready', 'failed', 'disconnected', 'ended'] as const).map((status) => sessionRow(session(x, status), english)),
  },
  'sessionRows.journaledRow': {
    make: (x) => [
      journaledRow({ key: 'k', title: x, agentName: x, cwd: x, createdAt: 0, marks: {} }, 0, 'en', english),
      journaledRow({ key: 'k', title: '', agentName: x, cwd: x, createdAt: 0, marks: {} }, 0, 'en', english),
    ],
  },
  'rowStrings.rowStrings': {
    make: (x) => {
      const facts = { ...treeFacts('k', { title: x, agentName: x, cwd: x }), changes: { files: 2, added: 1, removed: 1 } };
      const nodes: TreeNode[] = [
        { kind: 'session', id: 'k', facts },
        { kind: 'agent', id: 'a', agentId: 'a', agentName: x, state: 'idle' },
        { kind: 'group', id: 'g', of: { type: 'agent', agentId: 'a', agentName: x }, count: 1, collapsed: false },
        { kind: 'group', id: 'f', of: { type: 'folder', folder: `/w/${x}` }, count: 1, collapsed: false },
      ];
      const words: RowTextFacts = { now: 0, language: 'en', folderName: () => undefined, namesFolder: () => true };
      return nodes
        .map((node) => rowStrings(node, words, english))
        .map(({ label, tooltip, ...others }) => ({ label, lines: tooltip?.split('\n'), ...others }));
    },
  },
  'waitingQuestions.waitingQuestions': {
    make: (x) => {
      const asked = { entryId: 'permission:p', kind: 'permission', permissionId: 'p', at: 0, title: x, askedBy: x, options: [] } as const;
      const subject = { kind: 'execute', rawInput: { command: `run ${x}` } };
      const form = { entryId: 'elicitation:f', kind: 'elicitation', requestKey: 'f', at: 0, message: x } as const;
      const entries = EntryList.of<Slot>([
        { ...asked, subject },
        { ...form, body: { mode: 'url', elicitationId: 'e', url: 'https://a.example' } },
      ]);
      const state = { ...session(x, 'ready'), title: x, entries, pendingPermissions: ['p'], pendingElicitations: ['f'] };
      return waitingQuestions([{ key: 'k', agentName: x, store: { state } }], english).map(({ label, description, detail }) => ({
        label,
        description,
        detail,
      }));
    },
  },
  'searchRun.hitRow': {
    make: (x) =>
      hitRow(
        { key: 'k', summary: summary('k', { title: x, agentName: x, cwd: x }), entryId: 'e', excerpt: x, from: 0, to: 1 },
        0,
        'en',
        english,
      ),
  },
  // This text contains only counts.
  'restartQuestion.restartQuestion': {
    make: (x) => {
      const turn = { turnId: x, startedAt: 0, cancelling: true };
      const agent = inertLine(x, 80);
      const cutOff = { turn: { ...turn, cancelling: false } };
      return [[], [cutOff], [cutOff, cutOff]].map((others) => restartQuestion({ turn }, others, agent, english)!);
    },
  },
  'accounts.accountRows': {
    make: (x) => {
      const launch = { agentId: x, agentName: x, args: [x], env: {} };
      const entries = ['claude', x].map((command) => ({
        agentId: x,
        agentName: x,
        source: 'user' as const,
        launch: { ...launch, command },
      }));
      const far = {
        agentId: x,
        agentName: x,
        source: 'user' as const,
        launch: { kind: 'websocket', agentId: x, agentName: x, url: x, headers: {} },
      };
      return accountRows([...entries, far] as unknown as CatalogEntry[], english).map((row) =>
        'separator' in row ? row : { label: row.label, detail: row.detail },
      );
    },
  },
  'stopQuestion.stopQuestion': {
    make: (x) => {
      const turn = { turnId: x, startedAt: 0, cancelling: false };
      const states = [[{ turn }], [{ turn }, { turn }]];
      return states.flatMap((each) =>
        (['stop', 'restart'] as const).map((action) => stopQuestion(each, action, inertLine(x, 80), english)!),
      );
    },
  },
  'overview.statusBarText': {
    make: () => [
      statusBarText({ running: 2, needing: 0, questions: 0, pending: 0 }, english),
      statusBarText({ running: 2, needing: 1, questions: 2, pending: 0 }, english),
    ],
    icons: (at) => (at === '.0.text' ? 1 : at === '.1.text' ? 2 : 0),
  },
  'traceRows.traceRow': {
    make: (x) =>
      [1, undefined].map((endedAt) =>
        traceRow(
          { agentName: x, commandLine: x, cwd: x, startedAt: 0, endedAt } as unknown as Parameters<typeof traceRow>[0],
          english,
          'en',
        ),
      ),
  },
  'signInRows.methodRows': {
    make: (x) =>
      methodRows(
        [
          { methodId: x, name: x, description: x, type: 'agent' },
          { methodId: x, name: '', type: 'terminal', command: x, args: [x, x] },
          { methodId: x, name: x, type: 'terminal' },
          {
            methodId: x,
            name: x,
            type: 'env_var',
            vars: [
              { name: x, label: x, secret: true, optional: true },
              { name: x, secret: false, optional: false },
            ],
          },
        ] as unknown as Parameters<typeof methodRows>[0],
        english,
      ).map(({ label, description, detail }) => ({ label, description, detail })),
  },
  'permissionText.permissionStrings': {
    make: (x) =>
      [
        { command: x, cwd: x },
        { rawInput: { command: [x, x], cwd: x } },
        { rawInput: { command: x } },
        { rawInput: { anything: x } },
        { rawInput: x },
        { locations: [{ path: x, line: 1 }, { path: x }], kind: 'edit' },
        { locations: [{ path: `/w/${x}` }], kind: x },
        { content: [{ type: 'diff', changes: ['add', 'delete', 'modify', x].map((operation) => ({ operation, path: x, oldPath: x })) }] },
        { reason: { type: 'protected_path', access: 'write', rule: x, path: x, target: x }, locations: [{ path: x }] },
        { reason: { type: 'command', unasked: true, variables: [x, x] }, command: x },
        {},
      ].map((subject) => {
        const { title, placeholder, rows, ...others } = permissionStrings(ask(x, subject), 2, english);
        // Long words get invisible places to break at.
        return {
          title: title.replaceAll('\u200b', ''),
          actionsInTitle: actionsIn(title, 0),
          placeholder,
          rows: rows.map((row) => ({ ...row, optionId: undefined })),
          ...others,
        };
      }),
  },
  'permissionText.headingOf': {
    make: (x) => {
      const call = {
        kind: 'tool_call',
        entryId: 'c',
        at: 0,
        updatedAt: 0,
        toolCallId: 'c',
        status: '',
        content: [],
        locations: [],
      } as const;
      const unnamed = { ...ask(x, {}), title: '', call: { ...call, toolKind: x } };
      return [headingOf(ask(x, {}), english).words, headingOf(unnamed, english).words];
    },
  },
  'permissionSummary.operationTextOf': {
    make: (x) => operationTextOf(ask(x, { command: x, cwd: x, locations: [{ path: x }] }), english).text,
  },
  'reasonText.reasonText': {
    make: (x) => [
      reasonText({ type: 'command', unasked: false, variables: [x] }, (path) => path, english),
      reasonText({ type: 'protected_path', access: 'read', rule: x, path: x, target: x }, (path) => path, english),
    ],
  },
  'changeText.changeText': {
    make: (x) => {
      const states = [{ kind: 'none' }, { kind: 'link', target: x }, { kind: 'unknown', reason: 'late' }] as const;
      return states.flatMap((before) =>
        states.flatMap((after) =>
          [{}, { oldPath: `/o/${x}` }].map((more) =>
            changeText({ path: `/w/${x}`, before, after, isDeleted: after.kind === 'none', turns: [], ...more }, english),
          ),
        ),
      );
    },
  },
  'hunkLinks.hunkLinks': {
    make: (x) => {
      const target = { changes: { key: x }, file: { path: `/w/${x}`, before: { kind: 'none' } }, hunkIds: [1] } as unknown as PendingFile;
      return hunkLinks([target, target], () => inertLine(x, 60), english).flatMap(({ title, links }) => [
        title ?? '',
        ...links.map((link) => link.title),
      ]);
    },
  },
  'sharedAuthors.sharedText': {
    make: (x) => [true, false].map((isUser) => sharedText({ isUser, sessions: inertLine(x, 60) }, english)),
  },
  'sharedAuthors.sharedMessage': {
    make: (x) =>
      [true, false].flatMap((isUser) => [
        sharedMessage(`/w/${x}`, { isUser }, english),
        sharedMessage(`/w/${x}`, { isUser, sessions: inertLine(x, 60) }, english),
        sharedMessage(`/w/${x}`, { isUser, isUnseen: true }, english),
      ]),
  },
  'sharedAuthors.unseenText': { make: () => [unseenText(english)] },
  'changeLenses.behindDiskLenses': { make: (x) => behindDiskLenses(x, english).map(({ title }) => title) },
  'changeLenses.changeLenses': {
    make: (x) =>
      changeLenses(
        ['one', 'two'].map((key) => {
          const file = { path: `/w/${x}`, before: { kind: 'unknown', reason: 'late' }, after: { kind: 'none' } };
          return { changes: { key }, file } as unknown as PendingFile;
        }),
        [],
        1,
        () => inertLine(x, 60),
        english,
      ).map(({ title }) => title),
  },
  'removedLines.removedLines': {
    make: (x) => {
      const hunks = LiveHunks.of('one\n');
      hunks.replace('two\n', { type: 'agent', by: 't' });
      const pending = { changes: { key: 'k' }, file: { path: '/w/a', hunks } } as unknown as PendingFile;
      return removedLines([pending], 0, () => inertLine(x, 60), english).map(({ title }) => title);
    },
  },
  'turnEndText.turnEndText': {
    make: (x) =>
      [{}, { unanswered: true }, { failure: { code: 'internal' } }].map((end) =>
        turnEndText(end as TurnEnd, { agent: inertLine(x, 60), title: inertLine(x, 60) }, english),
      ),
  },
  'changeText.unknownText': { make: () => unknownText({ kind: 'unknown', reason: 'limit' }, english) },
  'fileNames.fileNames': { make: (x) => fileNames([x, `/a/${x}`, `/${x}/${x}`, x], { max: 3, maxName: 60 }, english) },
  'fileNames.diffTitle': { make: (x) => [diffTitle(x, undefined, english), diffTitle(x, inertLine(x, 30), english)] },
  'undoMessages.leftMessage': { make: (x) => LEFT_REASONS.map((reason) => leftMessage({ path: x, reason }, english)) },
  'undoMessages.leftLines': { make: (x) => leftLines(leftFiles(x), english) },
  'undoMessages.leftSummary': { make: (x) => leftSummary(leftFiles(x), english) },
  'undoMessages.undoQuestion': { make: (x) => [undoQuestion([x], english), undoQuestion([x, x], english)] },
  'undoMessages.planLines': {
    make: (x) => planLines([{ target: { file: { path: x } }, action: { type: 'leave', reason: 'shared' } } as PlannedUndo], english),
  },
  'restoreMessages.resultMessage': { make: (x) => resultMessage(2, [{ path: x, reason: 'failed' }], english) },
  'restoreMessages.recoveredMessage': { make: (x) => recoveredMessage('undo', 1, [{ path: x, reason: 'failed' }], english) },
  'restoreMessages.fileEffect': { make: (x) => fileEffect(x, { action: 'delete' }, english) },
  'restoreMessages.fileEffects': { make: (x) => fileEffects([{ path: x, action: 'delete' }], (real) => real, english) },
  'restoreMessages.lostMessage': { make: () => lostMessage(2, english) },
  'restoreMessages.nothingToRestore': { make: () => nothingToRestore(2, english) },
  'restoreMessages.unrecordedMessage': { make: () => unrecordedMessage(english) },
  'failureText.failureSentence': { make: (x) => failureSentence({ code: 'fs.not_found', params: { path: x } }, english) },
  'failureText.shortFailureText': { make: (x) => shortFailureText({ code: 'turn.failed', params: { signal: x }, detail: x }, english) },
  'failureText.failureText': { make: (x) => failureText({ code: 'internal', detail: x }, english) },
};

const LEFT_REASONS = [
  'unknown',
  'shared',
  'changed_since',
  'unsaved',
  'elsewhere',
  'old_name_taken',
  'changing',
  'running',
  'failed',
] as const;

function leftFiles(x: string): readonly LeftFile[] {
  return LEFT_REASONS.flatMap((reason) => [x, `/a/${x}`].map((each) => ({ path: each, reason })));
}

/** Functions for documents, whose text is unchanged: VS Code's editor has separate rules, see `text/markdown/sanitize.ts`. */
const DOCUMENTS = [
  'auditText.auditText',
  'helpDocument.helpText',
  'transcriptStrings.transcriptStrings',
  'questionStrings.questionStrings',
  'escape.inertly',
  // Not words: a session for the clients of a sharing.
  'sharedSessionOf.sharedSessionOf',
];
/** Functions for the page, which shows text as text. */
const OF_PAGE = [
  ...[
    'agentDetails.detailSections',
    'agentDetails.logLines',
    'agentDetails.pageLinks',
    'agentDetails.testSections',
    'agentDetails.versionRows',
  ],
  ...[
    'agentFeatures.featureSections',
    'agentPageState.agentPageState',
    'agentSettings.settingSections',
    'pageWords.doneText',
    'pageWords.problemOf',
  ],
  ...['browseRows.browseRow', 'browseRows.progressOf', 'browseRows.registryNotes', 'browseRows.sizeText'],
  ...['runningRows.runningState', 'startAdvice.startAdvice', 'testReport.reportText', 'testReport.testState'],
  ...['accessHint', 'clientCount', 'rightName', 'sharePageState'].map((name) => `sharePageState.${name}`),
  'firstRows.categoryRows',
  'frameDetail.frameDetail',
  ...['cellMention', 'changesMention', 'fileMention', 'problemsMention', 'sessionMention'].map((name) => `mentionOf.${name}`),
];

/** Exported functions that receive a translation, as `file.function`. */
function wordMakers(file: string, text: string): string[] {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.ESNext, true);
  return source.statements
    .filter(ts.isFunctionDeclaration)
    .filter(
      ({ modifiers, parameters }) =>
        modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword) &&
        parameters.some(({ type }) => /^Translate(?:Verbatim)?$/.test(type?.getText() ?? '')),
    )
    .map(({ name }) => `${file}.${name!.text}`);
}

function entry(x: string, source: CatalogEntry['source']): CatalogEntry {
  return { agentId: x, agentName: x, source, launch: { agentId: x, agentName: x, command: x, args: [x, x], env: {} } };
}

function problems(x: string): readonly Failure[] {
  const expected = ['present', 'spelling', 'string', x];
  return expected.map((each) => ({ code: 'config.invalid', params: { agentName: x, field: x, written: x, expected: each } }));
}

/** The problem only: a value is stored in the settings unchanged. */
function texted(read: object): string {
  return 'problem' in read ? String(read.problem) : '';
}

function session(x: string, status: SessionState['status']): SessionState {
  return { ...EMPTY_STATE, status, title: x, agentName: x, cwd: x };
}

function ask(x: string, subject: object): PendingPermission {
  const options = ['allow_once', 'allow_always', 'reject_once', 'reject_always', x].map((kind) => ({ kind, name: x, optionId: x }));
  return {
    sessionKey: 'k',
    agentName: x,
    title: x,
    description: x,
    cwd: '/w',
    subject,
    options: [...options, { ...options[0], name: '' }],
  } as unknown as PendingPermission;
}

function planned(x: string): PlannedServer {
  const written = { name: x, raw: { command: x, args: [x], note: x }, definition: undefined, isDisabled: false } as const;
  const source = { id: x, label: x, form: 'vscode', needsConsent: true, content: undefined } as const;
  return { key: x, name: x, source, written: { ...written, definition: { type: 'stdio', command: x, args: [x] } } as never, changed: [x] };
}

function hostileRule(x: string): StoredRule {
  return { rule: { id: x, effect: 'deny', command: x, agent: x, folder: x }, scope: 'always', from: 'workspace', problem: x };
}

describe('every row and line of the extension', () => {
  it('is tested here', () => {
    const found = ['src/application', 'src/workbench']
      .map((place) => path.join(root, place))
      .flatMap((folder) =>
        readdirSync(folder, { recursive: true, encoding: 'utf8' })
          .filter((file) => file.endsWith('.ts'))
          .flatMap((file) => wordMakers(path.basename(file, '.ts'), readFileSync(path.join(folder, file), 'utf8'))),
      );
    assert.deepEqual(
      found.sort(),
      [...Object.keys(MAKERS), ...DOCUMENTS, ...OF_PAGE].sort(),
      'a function that makes words needs a line in this table',
    );
    assert.ok(helpText(english).length > 100);
  });

  for (const [name, { make, icons }] of Object.entries(MAKERS)) {
    it(`is inert: ${name}`, () => {
      const check = (hostile: string): void => {
        const texts = textsIn(make(hostile));
        assert.ok(texts.length > 0 && texts.some(([, text]) => text !== ''), 'it says something');
        for (const [at, text] of texts) {
          assertInert(text, `${at} of ${JSON.stringify(hostile.slice(0, 80))}`, icons?.(at));
        }
      };
      HOSTILE.forEach(check);
      fc.assert(fc.property(anything, check), { numRuns: 200 });
    });
  }
});
