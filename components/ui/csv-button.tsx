import { Download } from 'lucide-react'
import type { ReactNode } from 'react'
import { Button } from './button'

/** What a list shows, as a file; at the far end of its tools, after its other buttons. */
export const CsvButton = ({
  label,
  onDownload,
  children,
}: {
  label?: string
  onDownload: () => void
  children?: ReactNode
}) => (
  <>
    <span className="flex-1" />
    {children}
    <Button onClick={onDownload} aria-label={label}>
      <Download size={13} aria-hidden className="text-ink3" /> CSV
    </Button>
  </>
)
