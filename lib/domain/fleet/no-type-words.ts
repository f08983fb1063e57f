import type { Framework } from '@/lib/schemas/frameworks'

const WORDS: Partial<Record<string, string>> = {
  passthrough: 'whole card',
  none: 'not handed out',
} satisfies Partial<Record<Framework, string>>

/** The text in place of a vGPU type on a pGPU that has none. */
export const noTypeWords = (framework: string): string => WORDS[framework] ?? 'no type yet'
