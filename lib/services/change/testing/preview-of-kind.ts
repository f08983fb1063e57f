import type { ChangePreview, PreviewOf } from '@/lib/schemas/api/change'

/** The preview as that of its kind. @throws if the plan or change is of another kind. */
export const previewOfKind = <Kind extends ChangePreview['kind']>(
  kind: Kind,
  { preview }: { preview: ChangePreview },
): PreviewOf<Kind> => {
  const isOfKind = (one: ChangePreview): one is PreviewOf<Kind> => one.kind === kind
  if (isOfKind(preview)) return preview
  throw new Error(`the preview is of the kind ${preview.kind}, not ${kind}`)
}
