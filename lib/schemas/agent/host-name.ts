/** A host name as nova-compute knows it (`[DEFAULT] host`), in lower case. Plain, so that a form needs no schema for it. */
export const HOST_NAME_PATTERN = /^[a-z0-9]([a-z0-9_.-]{0,251}[a-z0-9])?$/

export const HOST_NAME_RULE =
  'must be a host name: letters, digits, dots, dashes and underscores, at most 253 characters'
