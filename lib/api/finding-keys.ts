type Scope = { cloud: string | null }

/** Of one host, or of subjects of some kinds; neither: all. */
export type FindingScope = Scope & { host?: string; about?: string; state?: string; limit?: string }

/** As the route takes it: several values with commas, empty narrows nothing. */
export type FindingQuestion = Scope & {
  q: string
  severity: string
  state: string
  host: string
  code: string
  sourceToCorrect: string
  sort: 'kind' | 'urgency'
}

/** Includes the sources of a pGPU, because they contain the pGPU's findings. */
export const findingKeys = {
  all: ['findings'] as const,
  list: (scope: FindingScope) => ['findings', 'list', scope] as const,
  counts: ({ cloud }: Scope) => ['findings', 'counts', { cloud }] as const,
  mutes: ({ cloud }: Scope) => ['findings', 'mutes', { cloud }] as const,
  detail: ({ id }: { id: number }) => ['findings', 'detail', { id }] as const,
  sources: ({ cloud, host, address }: Scope & { host: string; address: string }) =>
    ['findings', 'sources', { cloud, host, address }] as const,
}
