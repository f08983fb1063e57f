import type { Framework } from '@/lib/schemas/frameworks'

const LABELS: Partial<Record<string, string>> = {
  passthrough: 'whole card',
  none: 'not assigned',
} satisfies Partial<Record<Framework, string>>

/** The text in place of a vGPU type on a pGPU that has none. */
export const noTypeLabel = (framework: string): string => LABELS[framework] ?? 'no type yet'
