-- Holds the number of the analytics branch's migration, which replaces this file.
SELECT 1;
