'use client'

import { Tooltip } from '@/components/ui/tooltip'

/** A dash for an unknown value; hover or focus shows the reason. */
export const UnknownNote = ({ reason }: { reason: string | null }) => (
  <Tooltip content={reason}>
    <button
      type="button"
      aria-label={`unknown${reason === null ? '' : `: ${reason}`}`}
      className="min-w-6 cursor-help rounded-tag text-left text-ink3 underline decoration-dotted underline-offset-4"
    >
      –
    </button>
  </Tooltip>
)
