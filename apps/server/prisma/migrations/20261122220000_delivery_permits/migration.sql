-- The database whose events may be delivered to webhooks. A restored copy is another one, and delivers nothing until an
-- operator confirms it. Empty until the first server looks.
CREATE TABLE "delivery_permits" (
  "database" TEXT PRIMARY KEY
);
