/** Names of other programs that comments and docs mention, and that nothing in the tree has. Each group has its reason. */
export const FOREIGN_NAMES = new Set(
  [
    // Git: refs, files and settings.
    ['.git/hooks', '.git/modules', 'refs/acp-host/kept/', 'ORIG_HEAD', 'GIT_CONFIG_KEY_n', 'index.skipHash'],
    // Settings, contribution points and functions of VS Code, some of them proposed or private.
    ['comments.openView', 'diffEditor.codeLens', 'multiDiffEditor/resource/title', 'diffEditor/gutter/hunk', 'TabInputTextMultiDiff'],
    ['_workbench.openMultiDiffEditor', 'WorkspaceConfiguration.inspect', 'files.autoGuessEncoding', 'documentOverride', 'iconLabels'],
    ['linkedText', 'parseLinkedText', 'renderLabelWithIcons', 'parseLabelWithIcons', 'stripIcons', 'MAX_MESSAGE_LENGTH'],
    // Types and fields of gRPC, LSP and the protocol's drafts.
    ['RetryInfo', 'PublishDiagnosticsParams', 'SessionModelState', 'state_update', 'call_7'],
    // Directives of a page's policy, and a style's property.
    ['wasm-unsafe-eval', 'connect-src', 'font-src', 'borderColor'],
    // Programs, and a setting of Yarn.
    ['systemd-run', 'ssh-agent', 'yarnPath'],
    // Packages that were tried and not taken.
    ['svg-path-properties', 'image-size', '@xterm/headless'],
    // The name of a stored folder, as an example.
    ['my-project-1f8a0c22d9e3'],
  ].flat(),
);
