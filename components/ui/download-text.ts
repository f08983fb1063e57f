/** Hands the reader a file. */
export const downloadBlob = ({ name, blob }: { name: string; blob: Blob }): void => {
  const address = URL.createObjectURL(blob)
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(address), 1000)
}

/** Hands text to the reader as a file. */
export const downloadText = ({ name, type, text }: { name: string; type: string; text: string }): void =>
  downloadBlob({ name, blob: new Blob([text], { type: `${type};charset=utf-8` }) })

/** Rows as a CSV file, named after the cloud and the minute. */
export const downloadCsv = ({ cloud, what, text }: { cloud: string; what: string; text: string }): void => {
  const minute = new Date().toISOString().slice(0, 16).replace(':', '')
  downloadText({ name: `sliceboard-${cloud}-${what}-${minute}.csv`, type: 'text/csv', text })
}
