-- Instead of a primary key: on millions of rows its index takes twice their space, and most of the
-- time to insert them.
{% test unique_together(model, columns) %}

select {{ columns | join(', ') }}
from {{ model }}
group by all
having count(*) > 1

{% endtest %}
