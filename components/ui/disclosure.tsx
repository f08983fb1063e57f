import type { KeyboardEvent, ReactNode } from 'react'

const closeOnEscape = (event: KeyboardEvent<HTMLElement>) => {
  const details = event.currentTarget.closest('details')
  if (event.key !== 'Escape' || details?.open !== true) return
  details.open = false
  event.stopPropagation()
}

/** A line that opens what is behind it; Escape closes it again. */
export const Disclosure = ({ summary, children }: { summary: ReactNode; children: ReactNode }) => (
  <details className="text-small leading-[17px]">
    {/* biome-ignore lint/a11y/noStaticElementInteractions: a summary has the focus and toggles its details (HTML) */}
    <summary
      onKeyDown={closeOnEscape}
      className="min-h-6 w-fit cursor-pointer py-[3px] text-ink2 marker:text-ink3 hover:text-ink"
    >
      {summary}
    </summary>
    {children}
  </details>
)
