'use client'

import type { Choice } from '@/components/ui/choice-button'
import { ChoiceChip } from '@/components/ui/choice-chip'

/** Shows and hides columns. */
export const ColumnMenu = ({
  choices,
  shown,
  onChoose,
  onReset,
}: {
  choices: readonly Choice[]
  shown: readonly string[]
  onChoose: (shown: string[]) => void
  onReset: () => void
}) => (
  <ChoiceChip
    label="Columns"
    isMultiple
    isPlain
    choices={choices}
    chosen={shown}
    onChoose={onChoose}
    reset={{ label: 'Reset', onReset }}
  />
)
