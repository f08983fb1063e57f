/** What the runbook of a change is called when it is downloaded. */
export const runbookName = ({ id, format }: { id: number; format: 'md' | 'sh' }): string =>
  `sliceboard-change-${id}.${format}`
