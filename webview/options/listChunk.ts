/** The lists of options, loaded when the page is idle or when the first list is opened. */
export { ChoiceList, OptionList } from './list';
export { PermissionModeList } from './permissionModeList';
