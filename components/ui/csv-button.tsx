import { Download } from 'lucide-react'
import { Button } from './button'

/** What a list shows, as a file; at the far end of its tools. */
export const CsvButton = ({ label, onDownload }: { label?: string; onDownload: () => void }) => (
  <>
    <span className="flex-1" />
    <Button onClick={onDownload} aria-label={label}>
      <Download size={13} aria-hidden className="text-ink3" /> CSV
    </Button>
  </>
)
