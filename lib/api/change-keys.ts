import type { PlanChange } from '@/lib/schemas/api/change-inputs'

type Scope = { cloud: string | null }

export const changeKeys = {
  all: ['changes'] as const,
  counts: ({ cloud }: Scope) => ['changes', 'counts', { cloud }] as const,
  first: ({ cloud }: Scope) => ['changes', 'first', { cloud }] as const,
  detail: ({ id }: { id: number }) => ['changes', 'detail', { id }] as const,
  steps: (question: { id: number; host: string | null; phase: string; changedAt: string | null }) =>
    ['changes', 'steps', question] as const,
  testChoices: ({ cloud }: Scope) => ['changes', 'testChoices', { cloud }] as const,
  plan: (input: PlanChange) => ['changes', 'plan', input] as const,
}
