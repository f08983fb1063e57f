-- Findings are stored with the names that the API has: `sourceToCorrect`, and `reported` in the evidence.
UPDATE finding
SET body = (body - 'blame')
  || jsonb_build_object('sourceToCorrect', body -> 'blame')
  || jsonb_build_object(
    'evidence',
    (
      SELECT coalesce(
        jsonb_agg((e.value - 'said') || jsonb_build_object('reported', e.value -> 'said') ORDER BY e.ordinality),
        '[]'
      )
      FROM jsonb_array_elements(body -> 'evidence') WITH ORDINALITY AS e
    )
  )
WHERE body ? 'blame';
