// The chapters that hold for every kind: what breaks one kind breaks it in every chapter, and is judged by these.
export const generalChapters = [
  'surface',
  'responses',
  'discovery',
  'list',
  'read',
  'create',
  'replace',
  'delete',
  'deleteCollection',
  'errors',
] as const;
