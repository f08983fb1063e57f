import type { Framework } from '@/lib/schemas/frameworks'

const WORDS: Partial<Record<string, string>> = {
  passthrough: 'whole card',
  none: 'not handed out',
} satisfies Partial<Record<Framework, string>>

/** What stands in a vGPU type's place on a pGPU that has none. */
export const noTypeWords = (framework: string): string => WORDS[framework] ?? 'no type yet'
