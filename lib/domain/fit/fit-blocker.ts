/** What prevents a server, in one short sentence. `aggregate` counts only where that scheduler filter is enabled. */
export type FitBlocker = {
  kind:
    | 'service'
    | 'provider'
    | 'class'
    | 'trait'
    | 'size'
    | 'full'
    | 'hardware'
    | 'cpu'
    | 'numa'
    | 'memory'
    | 'disk'
    | 'zone'
    | 'aggregate'
    | 'alias'
  because: string
}
