import type { Encoded, Language } from '@/lib/util/encode/encoded'
import { safeFileName } from '@/lib/util/encode/file-name'

/** Downloads a file. */
export const downloadBlob = ({ name, blob }: { name: string; blob: Blob }): void => {
  const address = URL.createObjectURL(blob)
  const link = document.createElement('a')
  link.href = address
  link.download = safeFileName(name)
  link.click()
  setTimeout(() => URL.revokeObjectURL(address), 1000)
}

type TextFile = { name: string; type: string; text: Encoded<Language> }

/** Downloads text as a file. */
export const downloadText = ({ name, type, text }: TextFile): void =>
  downloadBlob({ name, blob: new Blob([text], { type: `${type};charset=utf-8` }) })

/** Rows as a CSV file, named after the cloud and the minute. */
export const downloadCsv = ({
  cloud,
  what,
  text,
}: {
  cloud: string
  what: string
  text: Encoded<'csv'>
}): void => {
  const minute = new Date().toISOString().slice(0, 16).replace(':', '')
  downloadText({ name: `sliceboard-${cloud}-${what}-${minute}.csv`, type: 'text/csv', text })
}
