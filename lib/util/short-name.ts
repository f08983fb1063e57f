/** The first label of a host name, in lower case: `cmp-01` of `CMP-01.example.org`. */
export const shortName = (name: string): string => name.toLowerCase().split('.')[0] ?? ''
