'use client'

import type { Choice } from '@/components/ui/choice-button'
import { ChoiceChip } from '@/components/ui/choice-chip'

/** Hides columns. */
export const ColumnMenu = ({
  choices,
  hidden,
  onHide,
}: {
  choices: readonly Choice[]
  hidden: readonly string[]
  onHide: (hidden: string[]) => void
}) => <ChoiceChip label="Hide columns" isMultiple choices={choices} chosen={hidden} onChoose={onHide} />
